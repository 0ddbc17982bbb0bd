import { CanonicalJsonError, locateJson, parseJson, type Tolerable } from "@agentprint/canonical-json";
import type { JsonObject, JsonValue } from "@agentprint/canonical-json/json-value";
import { type MessageParts, NumberCollector, type NumberTexts, type RequestId, ShapeFault } from "@agentprint/mcp";
import type { Limits } from "../limits.ts";
import type { Message } from "../step.ts";
import { readShape } from "./read-shape.ts";
import { idsIn, seemingIds } from "./seeming-ids.ts";

/** The messages that were read: a single message, or the messages of a batch. */
export interface Reading {
  readonly messages: readonly MessageParts[];
  readonly isBatch: boolean;
  /** The form in which the message is forwarded: the original, without line breaks. */
  readonly forward: Message;
  readonly value: JsonObject | JsonValue[];
  /** The text of a single message; absent for a batch and for a parsed value. */
  readonly text?: string | undefined;
  /** Numbers that a double changes, and lone surrogates, which are tolerated in a result's content. */
  readonly tolerated: readonly Tolerable[];
  /** The number texts in a list's items that a double changes, by pointer; absent for a parsed value. */
  readonly numbers?: NumberTexts | undefined;
}

/**
 * Returns whether every reader reads the same numbers and strings from a message, so that the guard may serialize it
 * again.
 */
export function isExact({ tolerated, numbers = {} }: Reading): boolean {
  return tolerated.length === 0 && Object.keys(numbers).length === 0;
}

/** Why a message is not forwarded. */
export interface Unreadable {
  /** One sentence without text from the message. */
  readonly reason: string;
  /** The ids that the message seems to have, because a request that waits under such an id receives no other answer. */
  readonly ids: readonly RequestId[];
}

/** Reads messages that both ends must either read as the guard does, or not at all. */
export class MessageReader {
  readonly #limits: Limits;
  readonly #decoder: InstanceType<typeof TextDecoder> = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  readonly #options: NonNullable<Parameters<typeof parseJson>[1]>;
  #tolerated: Tolerable[] = [];
  #numbers = new NumberCollector();

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#options = {
      exactNumbers: true,
      maxDepth: limits.depth,
      maxBytes: limits.messageBytes,
      tolerate: (found) =>
        CONTENT.test(found.path) ? this.#tolerated.push(found) > 0 : ITEM.test(found.path) && this.#numbers.take(found),
    };
  }

  read(message: Message): Reading | Unreadable {
    this.#tolerated = [];
    this.#numbers = new NumberCollector();
    if (typeof message !== "string" && !(message instanceof Uint8Array)) return this.#readValue(message);
    try {
      const text = typeof message === "string" ? message : this.#decode(message);
      const value = parseJson(text, this.#options);
      if (hasOddId(text, value))
        return { reason: "an id is an integer without a point or an exponent", ids: idsIn(value) };
      const isOneLine = !text.includes("\n") && !text.includes("\r");
      return this.#shape(isOneLine ? message : text.replace(LINE_BREAKS, " "), value as JsonObject, text);
    } catch (error) {
      if (!(error instanceof CanonicalJsonError)) throw error;
      return { reason: this.#reasonOf(error), ids: seemingIds(message) };
    }
  }

  /**
   * Reads a value as the JSON text that a transport would write, because a value can have methods, and members that
   * change between reads.
   */
  #readValue(message: JsonObject | JsonValue[]): Reading | Unreadable {
    let text: string | undefined;
    try {
      text = JSON.stringify(message) as string | undefined;
    } catch {}
    if (text === undefined) return { reason: "the message cannot be written as JSON", ids: [] };
    try {
      return this.#shape(message, parseJson(text, this.#options) as JsonObject);
    } catch (error) {
      if (!(error instanceof CanonicalJsonError)) throw error;
      return { reason: this.#reasonOf(error), ids: seemingIds(text) };
    }
  }

  #reasonOf({ code }: CanonicalJsonError): string {
    if (code !== "too-large") return `the message is not strict JSON: ${code}`;
    return `the message is too large: more than ${this.#limits.messageBytes} bytes`;
  }

  #decode(bytes: Uint8Array): string {
    if (bytes.length <= this.#limits.messageBytes) {
      try {
        return this.#decoder.decode(bytes);
      } catch {}
    }
    parseJson(bytes, this.#options); // throws the reason
    return "";
  }

  #shape(forward: Message, value: JsonObject | JsonValue[], text?: string): Reading | Unreadable {
    const tolerated = this.#tolerated;
    const isBatch = Array.isArray(value);
    const values = isBatch ? value : [value];
    if (values.length === 0 || values.length > this.#limits.batch) {
      return { reason: `a batch has 1 to ${this.#limits.batch} messages`, ids: idsIn(value) };
    }
    const messages: MessageParts[] = [];
    for (const each of values) {
      const shape = readShape(each);
      if (shape instanceof ShapeFault) return { reason: shape.reason, ids: idsIn(value) };
      messages.push(shape);
    }
    const numbers = text === undefined ? undefined : this.#numbers.texts;
    return { messages, isBatch, forward, value, text: isBatch ? undefined : text, tolerated, numbers };
  }
}

/** The paths of a result's content, in which readers may represent numbers in their own way. */
const CONTENT = /^(?:\/\d+)?\/result(?:\/result)?\/(?:content|structuredContent|contents|messages)(?:\/|$)/;

/** The paths of a list's items. */
const ITEM = /^\/result\/(?:tools|prompts|resources|resourceTemplates)\/\d+\//;

/** Line breaks. In strict JSON, line breaks occur only between tokens, where a space can replace each of them. */
const LINE_BREAKS = /[\r\n]/g;

/** The key of an id, also if it is written with escapes. */
const ID = /"(?:i|\\u0069)(?:d|\\u0064)"/g;
/** The text after the key of an id that has a point or an exponent; some readers echo a float, others an integer. */
const ODD_NUMBER = /[ \t\r\n]*(?::[ \t\r\n]*)?-?\d+[.eE]/y;

/**
 * The beginning of a message whose id, a string or an integer, is written first, as libraries do. The next pattern is
 * the end of a message whose id is written last. No member repeats, so the id is the message's.
 */
const PLAIN_ID_FIRST =
  /^[ \t\r\n]*\{[ \t\r\n]*(?:"jsonrpc"[ \t\r\n]*:[ \t\r\n]*"2\.0"[ \t\r\n]*,[ \t\r\n]*)?"id"[ \t\r\n]*:[ \t\r\n]*(?:"|-?\d+[ \t\r\n]*[,}])/;
const PLAIN_ID_LAST = /[,{]"id":-?\d+\}$/;
/** The length of the end that is searched, in UTF-16 units. */
const MAX_END = 32;

function hasOddId(text: string, value: JsonValue): boolean {
  if (PLAIN_ID_FIRST.test(text) || PLAIN_ID_LAST.test(text.slice(-MAX_END))) return false;
  for (const { 0: name, index } of text.matchAll(ID)) {
    if (!isOddNumber(text, index + name.length)) continue;
    // A member with this name, or similar text, may also be deeper in the message.
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
