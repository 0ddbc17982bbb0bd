import { CanonicalJsonError, locateJson, parseJson, type Tolerable } from "@agentprint/canonical-json";
import type { JsonObject, JsonValue } from "@agentprint/canonical-json/json-value";
import type { Limits } from "../limits.ts";
import type { Message } from "../step.ts";
import { type RpcMessage, readShape, ShapeFault } from "./message-shape.ts";
import type { RequestId } from "./request-id.ts";

/** What was read: one message, or those of a batch. */
export interface Reading {
  readonly messages: readonly RpcMessage[];
  readonly isBatch: boolean;
  /** What is written where the message goes on: the very message, without line breaks. */
  readonly forward: Message;
  readonly value: JsonObject | JsonValue[];
  /** The text of one message; absent for a batch, and for what came as a value. */
  readonly text?: string | undefined;
  /** Numbers that a double changes and lone surrogates, which went through because they stand in the content of a result. */
  readonly tolerated: readonly Tolerable[];
}

/** Why a message is not forwarded. */
export interface Unreadable {
  /** One sentence without text of the message. */
  readonly reason: string;
  /** The ids that the message seems to have: what waits for an answer under one of them does not get one any more. */
  readonly ids: readonly RequestId[];
}

/** Reads messages so that both ends must read them as the guard does, or not at all. */
export class MessageReader {
  readonly #limits: Limits;
  readonly #decoder: InstanceType<typeof TextDecoder> = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  readonly #options: NonNullable<Parameters<typeof parseJson>[1]>;
  #tolerated: Tolerable[] = [];

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#options = {
      exactNumbers: true,
      maxDepth: limits.depth,
      maxBytes: limits.messageBytes,
      tolerate: (found) => CONTENT.test(found.path) && this.#tolerated.push(found) > 0,
    };
  }

  read(message: Message): Reading | Unreadable {
    this.#tolerated = [];
    if (typeof message !== "string" && !(message instanceof Uint8Array)) {
      return this.#shape(message, message);
    }
    try {
      const text = typeof message === "string" ? message : this.#decode(message);
      const value = parseJson(text, this.#options);
      if (hasOddId(text, value))
        return { reason: "an id is an integer without a point or an exponent", ids: idsIn(value) };
      const isOneLine = !text.includes("\n") && !text.includes("\r");
      return this.#shape(isOneLine ? message : text.replace(LINE_BREAKS, " "), value as JsonObject, text);
    } catch (error) {
      if (!(error instanceof CanonicalJsonError)) throw error;
      return { reason: `the message is not strict JSON: ${error.code}`, ids: seemingIds(message) };
    }
  }

  #decode(bytes: Uint8Array): string {
    if (bytes.length > this.#limits.messageBytes) return String(parseJson(bytes, this.#options));
    try {
      return this.#decoder.decode(bytes);
    } catch {
      return String(parseJson(bytes, this.#options)); // fails, and says why
    }
  }

  #shape(forward: Message, value: JsonObject | JsonValue[], text?: string): Reading | Unreadable {
    const tolerated = this.#tolerated;
    const isBatch = Array.isArray(value);
    const values = isBatch ? value : [value];
    if (values.length === 0 || values.length > this.#limits.batch) {
      return { reason: `a batch has 1 to ${this.#limits.batch} messages`, ids: idsIn(value) };
    }
    const messages: RpcMessage[] = [];
    for (const each of values) {
      const shape = readShape(each);
      if (shape instanceof ShapeFault) return { reason: shape.reason, ids: idsIn(value) };
      messages.push(shape);
    }
    return { messages, isBatch, forward, value, text: isBatch ? undefined : text, tolerated };
  }
}

/** Where a server writes what it was told to say, and readers may keep numbers in their own way. */
const CONTENT = /^(?:\/\d+)?\/result(?:\/result)?\/(?:content|structuredContent|contents|messages)(?:\/|$)/;

/** Line breaks stand between the tokens of strict JSON only: a space in place of each changes nothing, and keeps a message on one line. */
const LINE_BREAKS = /[\r\n]/g;

/** The name of an id, also with escapes. */
const ID = /"(?:i|\\u0069)(?:d|\\u0064)"/g;
/** What follows the name of an id with a point or an exponent: some readers echo it as a float, others as an integer. */
const ODD_NUMBER = /[ \t\r\n]*:?[ \t\r\n]*-?\d+[.eE]/y;

/**
 * An object whose id is a string or an integer, and stands where libraries write it: at its beginning or its end. It is then that of the
 * message, which has no member twice.
 */
const PLAIN_ID_FIRST =
  /^[ \t\r\n]*\{[ \t\r\n]*(?:"jsonrpc"[ \t\r\n]*:[ \t\r\n]*"2\.0"[ \t\r\n]*,[ \t\r\n]*)?"id"[ \t\r\n]*:[ \t\r\n]*(?:"|-?\d+[ \t\r\n]*[,}])/;
const PLAIN_ID_LAST = /[,{]"id":-?\d+\}$/;
/** UTF-16 units of the longest id at the end that is looked at. */
const MAX_END = 32;

function hasOddId(text: string, value: JsonValue): boolean {
  if (PLAIN_ID_FIRST.test(text) || PLAIN_ID_LAST.test(text.slice(-MAX_END))) return false;
  for (const { 0: name, index } of text.matchAll(ID)) {
    if (!isOddNumber(text, index + name.length)) continue;
    // A member of that name, or a text like it, may also stand deeper in the message.
    const pointers = Array.isArray(value) ? value.map((_, index) => `/${index}/id`) : ["/id"];
    const places = locateJson(text, pointers, { tolerate: () => true });
    return places.some(({ offset }) => isOddNumber(text, offset));
  }
  return false;
}

function isOddNumber(text: string, offset: number): boolean {
  ODD_NUMBER.lastIndex = offset;
  return ODD_NUMBER.test(text);
}

/** Whether an answer can have this id. */
function isUsable(id: JsonValue | undefined): id is RequestId {
  return typeof id === "string" ? id.isWellFormed() : Number.isSafeInteger(id);
}

function idsIn(value: JsonValue): RequestId[] {
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((each) => {
    const id = typeof each === "object" && each !== null && !Array.isArray(each) ? each["id"] : undefined;
    return isUsable(id) ? [id] : [];
  });
}

/**
 * The ids that a text which is no strict JSON seems to have: whatever waits under them is ended, and nothing else.
 *
 * @param bytes Of at most a million; the id of a longer message is looked for in its beginning.
 */
function seemingIds(message: string | Uint8Array): RequestId[] {
  const text = typeof message === "string" ? message : new TextDecoder().decode(message.subarray(0, MAX_SEARCHED));
  try {
    return idsIn(JSON.parse(text));
  } catch {
    const [, id] = SEEMING_ID.exec(text.slice(0, MAX_SEARCHED)) ?? [];
    if (id === undefined) return [];
    return [id.startsWith('"') ? id.slice(1, -1) : Number(id)].filter(isUsable);
  }
}

const SEEMING_ID = /"id"\s{0,16}:\s{0,16}("[^"\\]{0,200}"|-?[1-9]\d{0,15}|0)/;
const MAX_SEARCHED = 1_000_000;
