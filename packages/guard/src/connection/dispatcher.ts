import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";
import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import { eraOfRequest, idKey, type MessageParts, type RequestId, type RequestMessage } from "@agentprint/mcp";
import { type Link, NOT_JUDGED, NOT_LOCKED } from "../link/link.ts";
import { Output, type Side } from "../link/output.ts";
import type { Pending } from "../link/pending.ts";
import { ProgramFault } from "../program-fault.ts";
import type { MessageReader, Reading, Unreadable } from "../read/read-message.ts";
import { errorAnswer, REFUSED } from "../refusal.ts";
import type { Message, Step } from "../step.ts";
import { clientMessage } from "./client-messages.ts";
import { serverMessage } from "./server-messages.ts";

/** The one version whose messages may come in batches. */
const BATCH_VERSION = "2025-03-26";

/** Reads the messages of a connection, and dispatches each to its judge. */
export class Dispatcher {
  readonly #link: Link;
  readonly #reader: MessageReader;

  constructor(link: Link, reader: MessageReader) {
    this.#link = link;
    this.#reader = reader;
  }

  fromClient(message: Message, headers?: string): Step {
    this.#link.reads(headers);
    return this.#handle("client", message);
  }

  fromServer(message: Message): Step {
    return this.#handle("server", message);
  }

  #handle(side: Side, message: Message): Step {
    this.#link.isText = typeof message === "string" || message instanceof Uint8Array;
    const out = new Output(this.#link.isText);
    if (this.#link.isClosed) return out.step();
    try {
      const reading = this.#reader.read(message);
      const fault = "reason" in reading ? reading : this.#batchFault(reading);
      if (!this.#link.lock.isLocked) this.#unlocked(side, reading, out);
      else if (fault) this.#unreadable(side, fault, out);
      else if ((reading as Reading).isBatch) this.#batch(side, reading as Reading, out);
      else this.#one(side, (reading as Reading).messages[0] as MessageParts, reading as Reading, out);
    } catch (error) {
      return this.#failed(side, message, error);
    }
    return this.#link.settings.dryRun ? forwarded(side, message) : out.step();
  }

  #one(side: Side, message: MessageParts, reading: Reading, out: Output): void {
    if (side === "client") clientMessage(this.#link, message, reading, out);
    else serverMessage(this.#link, message, reading, out);
  }

  /** Refuses every message while the lock has no entry of the server, and answers the waiting requests. */
  #unlocked(side: Side, reading: Reading | Unreadable, out: Output): void {
    const isReadable = "messages" in reading;
    this.#link.report("refused", undefined, [], "refused", NOT_LOCKED, side);
    this.#end(side, NOT_LOCKED, isReadable ? idsOf(reading) : reading.ids, out, isReadable ? reading.messages : []);
  }

  #batchFault({ isBatch, messages, tolerated }: Reading): Unreadable | undefined {
    if (!isBatch) return undefined;
    const ids = idsOf({ messages });
    if (this.#link.protocolVersion !== BATCH_VERSION) return { reason: `only MCP ${BATCH_VERSION} has batches`, ids };
    return tolerated.length > 0 ? { reason: "a batch has only what every reader reads alike", ids } : undefined;
  }

  /** Forwards a batch as it came where all of its messages go on unchanged, else each message alone. */
  #batch(side: Side, reading: Reading, out: Output): void {
    const steps = reading.messages.map((message) => {
      const own = new Output(this.#link.isText);
      this.#one(side, message, reading, own);
      return own.step();
    });
    const to = side === "client" ? "toServer" : "toClient";
    const others = steps.some((step) => step[to === "toServer" ? "toClient" : "toServer"].length > 0);
    if (!others && steps.every((step) => step.action === "forward" && step[to].length === 1)) {
      out.forward(side === "client" ? "server" : "client", reading.forward, reading.value);
      out.action = "forward";
      return;
    }
    for (const step of steps) out.add(step);
    out.action = "replace";
  }

  /** Refuses an unreadable message, and ends only the request that waits for it. */
  #unreadable(side: Side, { reason, ids }: Unreadable, out: Output): void {
    const [id, ...others] = ids;
    const answered = side === "client" ? this.#link.toClient : this.#link.toServer;
    const pending = id === undefined || others.length > 0 ? undefined : answered.get(idKey(id));
    this.#link.report("refused", pending?.method, [], "refused", reason, side, pending);
    this.#end(side, reason, ids, out);
  }

  /** Ends the requests under these ids: those that a message answers, and its own, in `messages` if readable. */
  #end(
    side: Side,
    reason: string,
    ids: readonly RequestId[],
    out: Output,
    messages: readonly MessageParts[] = [],
  ): void {
    const [answered, asked] =
      side === "client" ? [this.#link.toClient, this.#link.toServer] : [this.#link.toServer, this.#link.toClient];
    for (const id of ids) {
      const key = idKey(id);
      const pending = answered.get(key);
      if (pending) {
        answered.delete(key);
        if (pending.fail) pending.fail(out);
        else if (pending.isOwn !== true) this.#endPending(side, pending, reason, out);
      } else if (!asked.has(key) && !this.#link.held.has(key)) {
        const request = messages.find((each): each is RequestMessage => each.kind === "request" && each.id === id);
        if (side === "client" && request) this.#link.refuse(refusable(request), reason, out);
        else out.write(side, errorAnswer(id, REFUSED, `Refused by the guard: ${reason}`));
      }
    }
  }

  #endPending(side: Side, pending: Pending, reason: string, out: Output): void {
    if (side === "server") this.#link.refuse(pending, `the answer of the server was not let through: ${reason}`, out);
    else out.write("server", errorAnswer(pending.id, REFUSED, "the answer of the client could not be read"));
  }

  /** Handles an error: a fault of a callback of the program, or a message that cannot be judged, which is refused. */
  #failed(side: Side, message: Message, error: unknown): Step {
    const { events, settings, isText } = this.#link;
    const reading = this.#read(message);

    if (!(error instanceof ProgramFault)) return this.#notJudged(side, message, reading);
    const isOpen = settings.dryRun || (settings.failOpen && !this.#isRefused(reading));
    const messages = reading && "messages" in reading ? reading.messages : [];
    const [first] = messages;
    const method = first && "method" in first ? { method: first.method } : {};
    events.fault(side, error, { ...method, isRefused: !isOpen });
    const out = new Output(isText);
    if (!isOpen) {
      const ids = reading && ("ids" in reading ? reading.ids : idsOf(reading));
      this.#end(side, "the guard failed", ids ?? [], out, messages);
      return out.step();
    }
    if (reading && "messages" in reading && !settings.dryRun && this.#settleUnjudged(side, reading, out))
      return out.step();
    return forwarded(side, message);
  }

  #notJudged(side: Side, message: Message, reading: Reading | Unreadable | undefined): Step {
    const out = new Output(this.#link.isText);
    const ids = reading && ("ids" in reading ? reading.ids : idsOf(reading));
    try {
      this.#end(side, NOT_JUDGED, ids ?? [], out, reading && "messages" in reading ? reading.messages : []);
      this.#link.report("refused", undefined, [], "refused", NOT_JUDGED, side);
    } catch (error) {
      if (!(error instanceof ProgramFault)) throw error;
      return this.#failed(side, message, error);
    }
    return this.#link.settings.dryRun ? forwarded(side, message) : out.step();
  }

  /** Returns `undefined` where reading itself fails; such a message gets no answer. */
  #read(message: Message): Reading | Unreadable | undefined {
    try {
      return this.#reader.read(message);
    } catch {
      return undefined;
    }
  }

  /** Returns whether a message is refused despite `failOpen`: readers differ on it, or it holds sealed state. */
  #isRefused(reading: Reading | Unreadable | undefined): boolean {
    if (reading === undefined) return false;
    if ("reason" in reading) return true;
    const { seal } = this.#link.calls;
    return reading.messages.some((each) => each.kind === "request" && seal.isOwn(each.params["requestState"]));
  }

  /** Tracks the requests and answers of an unjudged message. Returns `true` where it answers a request of the guard. */
  #settleUnjudged(side: Side, { messages }: Reading, out: Output): boolean {
    const { toServer, toClient } = this.#link;
    const answered = side === "client" ? toClient : toServer;
    let isOwn = false;
    for (const message of messages) {
      if (message.kind === "request" && side === "client") {
        this.#link.expectUnjudged({ ...message, era: eraOfRequest(message), correlation: "" });
      }
      if (message.kind !== "answer" || message.id === undefined) continue;
      const pending = answered.get(idKey(message.id));
      answered.delete(idKey(message.id));
      if (pending?.isOwn !== true) continue;
      isOwn = true;
      pending.fail?.(out);
    }
    return isOwn;
  }
}

function idsOf({ messages }: Pick<Reading, "messages">): RequestId[] {
  return messages.flatMap((each) => ("id" in each && each.id !== undefined ? [each.id] : []));
}

/** Returns the properties that determine the form of a refusal. */
function refusable(request: RequestMessage): Parameters<Link["refuse"]>[0] {
  const { id, method, params } = request;
  return { id, method, era: eraOfRequest(request), isTask: params["task"] !== undefined };
}

function forwarded(side: Side, message: Message): Step {
  const out = new Output(true);
  out.forward(side === "client" ? "server" : "client", message, parsedOf(message));
  out.action = "forward";
  return out.step();
}

/** Returns the value of an unjudged message for its transport; an empty object where it is not strict JSON. */
function parsedOf(message: Message): JsonObject | JsonValue[] {
  if (typeof message !== "string" && !(message instanceof Uint8Array)) return message;
  try {
    const value = parseJson(message);
    return isJsonObject(value) || Array.isArray(value) ? value : {};
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    return {};
  }
}
