import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";
import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import {
  eraOfRequest,
  idKey,
  listOfMethod,
  type MessageParts,
  type RequestId,
  type RequestMessage,
} from "@agentprint/mcp";
import type { Link, Pending } from "../link/link.ts";
import { Output, type Side } from "../link/output.ts";
import { expectUnjudged } from "../link/resume.ts";
import { ProgramFault } from "../program-fault.ts";
import type { MessageReader, Reading, Unreadable } from "../read/read-message.ts";
import { errorAnswer, NOT_JUDGED, NOT_LOCKED, REFUSED, type Refusable } from "../refusal.ts";
import type { Message, Step } from "../step.ts";
import { clientMessage } from "./client-messages.ts";
import { serverMessage } from "./server-messages.ts";

/** The only protocol version whose messages may be batched. */
const BATCH_VERSION = "2025-03-26";

/** Reads the messages of a connection, and passes each to the function that judges it. */
export class Dispatcher {
  readonly #link: Link;
  readonly #reader: MessageReader;

  constructor(link: Link, reader: MessageReader) {
    this.#link = link;
    this.#reader = reader;
  }

  fromClient(message: Message, headers?: string): Step {
    const { identity } = this.#link;
    this.#link.presented = headers === undefined ? identity.authorization : identity.presented(headers);
    return this.#handle("client", message);
  }

  fromServer(message: Message): Step {
    return this.#handle("server", message);
  }

  #handle(side: Side, message: Message): Step {
    this.#link.isText = typeof message === "string" || message instanceof Uint8Array;
    if (this.#link.isClosed) return new Output();
    try {
      const step = this.#judge(side, this.#reader.read(message));
      return this.#link.settings.dryRun ? forwarded(side, message) : step;
    } catch (error) {
      return this.#failed(side, message, error);
    }
  }

  #judge(side: Side, reading: Reading | Unreadable): Step {
    if (!this.#link.lock.isLocked) return this.#unlocked(side, reading);
    const fault = "reason" in reading ? reading : (this.#batchFault(reading) ?? this.#numberFault(side, reading));
    if (fault) return this.#unreadable(side, fault);
    const { isBatch, messages } = reading as Reading;
    return isBatch
      ? this.#batch(side, reading as Reading)
      : this.#one(side, messages[0] as MessageParts, reading as Reading);
  }

  #one(side: Side, message: MessageParts, reading: Reading): Step {
    const exchange = this.#link.exchange(side, message, reading);
    if (side === "client") clientMessage(exchange);
    else serverMessage(exchange);
    return exchange.out;
  }

  /** Refuses every message while the lock has no entry for the server, and answers the waiting requests. */
  #unlocked(side: Side, reading: Reading | Unreadable): Step {
    this.#link.events.emit({ kind: "refused", from: side, outcome: "refused", reason: NOT_LOCKED });
    return this.#end(side, NOT_LOCKED, reading);
  }

  #batchFault(reading: Reading): Unreadable | undefined {
    if (!reading.isBatch) return undefined;
    const ids = idsOf(reading);
    if (this.#link.protocolVersion !== BATCH_VERSION) return { reason: `only MCP ${BATCH_VERSION} has batches`, ids };
    return reading.tolerated.length > 0
      ? { reason: "a batch contains only messages that every reader reads alike", ids }
      : undefined;
  }

  /**
   * Returns the fault of a message that has numbers that a double changes, in places that only look like list items.
   */
  #numberFault(side: Side, reading: Reading): Unreadable | undefined {
    const pointers = Object.keys(reading.numbers ?? {});
    if (pointers.length === 0) return undefined;
    const [message] = reading.messages;
    const id = side === "server" && message?.kind === "answer" ? message.id : undefined;
    const kind = id === undefined ? undefined : listOfMethod(this.#link.toServer.get(idKey(id))?.method ?? "");
    if (kind !== undefined && pointers.every((pointer) => pointer.startsWith(`/result/${kind.list}/`)))
      return undefined;
    return { reason: "the message is not strict JSON: inexact-number", ids: idsOf(reading) };
  }

  /**
   * Forwards a batch as it was received if all of its messages continue unchanged; otherwise, forwards each message
   * separately.
   */
  #batch(side: Side, reading: Reading): Step {
    const steps = reading.messages.map((message) => this.#one(side, message, reading));
    const to = side === "client" ? "toServer" : "toClient";
    const others = steps.some((step) => step[to === "toServer" ? "toClient" : "toServer"].length > 0);
    const out = new Output();
    if (!others && steps.every((step) => step.action === "forward" && step[to].length === 1)) {
      out[to].push({ message: reading.forward, value: reading.value, origin: "forwarded" });
      out.action = "forward";
      return out;
    }
    for (const { toServer, toClient } of steps) {
      out.toServer.push(...toServer);
      out.toClient.push(...toClient);
    }
    out.action = "replace";
    return out;
  }

  /** Refuses an unreadable message, and ends only the request that is waiting for it. */
  #unreadable(side: Side, fault: Unreadable): Step {
    const { reason, ids } = fault;
    const [id, ...others] = ids;
    const answered = side === "client" ? this.#link.toClient : this.#link.toServer;
    const about = id === undefined || others.length > 0 ? undefined : answered.get(idKey(id));
    const { method } = about ?? {};
    this.#link.events.emit({ kind: "refused", from: side, outcome: "refused", reason, method, about });
    return this.#end(side, reason, fault);
  }

  /** Ends the requests under the ids in a message: the requests that it answers, and its own. */
  #end(side: Side, reason: string, reading: Reading | Unreadable | undefined): Step {
    const out = new Output();
    const [answered, asked] =
      side === "client" ? [this.#link.toClient, this.#link.toServer] : [this.#link.toServer, this.#link.toClient];
    for (const id of idsOf(reading)) {
      const key = idKey(id);
      const pending = answered.get(key);
      if (pending) {
        answered.delete(key);
        if (pending.fail) pending.fail(out);
        else if (pending.isOwn !== true) this.#endPending(side, pending, reason, out);
      } else if (!asked.has(key) && !this.#link.held.has(key)) {
        const request = messagesOf(reading).find((each) => each.kind === "request" && each.id === id);
        if (side === "client" && request) this.#link.refuse(refusable(request as RequestMessage), reason, out);
        else this.#link.write(out, side, errorAnswer(id, REFUSED, `Refused by the guard: ${reason}`));
      }
    }
    return out;
  }

  #endPending(side: Side, pending: Pending, reason: string, out: Output): void {
    if (side === "server") this.#link.refuse(pending, `the answer of the server was not let through: ${reason}`, out);
    else
      this.#link.write(out, "server", errorAnswer(pending.id, REFUSED, "the answer of the client could not be read"));
  }

  /**
   * Handles an error, which is either a fault in one of the program's callbacks, or a message that cannot be judged and
   * is refused.
   */
  #failed(side: Side, message: Message, error: unknown): Step {
    const { events, settings } = this.#link;
    const reading = this.#read(message);
    if (!(error instanceof ProgramFault)) return this.#notJudged(side, message, reading);
    const isOpen = settings.dryRun || (settings.failOpen && !this.#isRefused(reading));
    const [first] = messagesOf(reading);
    const method = first && "method" in first ? first.method : undefined;
    events.fault(side, error, { method, isRefused: !isOpen });
    if (!isOpen) return this.#end(side, "the guard failed", reading);
    return (settings.dryRun ? undefined : this.#settleUnjudged(side, messagesOf(reading))) ?? forwarded(side, message);
  }

  #notJudged(side: Side, message: Message, reading: Reading | Unreadable | undefined): Step {
    try {
      const step = this.#end(side, NOT_JUDGED, reading);
      this.#link.events.emit({ kind: "refused", from: side, outcome: "refused", reason: NOT_JUDGED });
      return this.#link.settings.dryRun ? forwarded(side, message) : step;
    } catch (error) {
      if (!(error instanceof ProgramFault)) throw error;
      return this.#failed(side, message, error);
    }
  }

  /** Returns `undefined` if reading itself fails; such a message gets no answer. */
  #read(message: Message): Reading | Unreadable | undefined {
    try {
      return this.#reader.read(message);
    } catch {
      return undefined;
    }
  }

  /**
   * Returns whether a message is refused despite `failOpen`, because readers differ on it, or because it holds sealed
   * state.
   */
  #isRefused(reading: Reading | Unreadable | undefined): boolean {
    if (reading === undefined) return false;
    if ("reason" in reading) return true;
    const { seal } = this.#link.calls;
    return reading.messages.some((each) => each.kind === "request" && seal.isOwn(each.params["requestState"]));
  }

  /**
   * Tracks the requests and answers of unjudged messages. Returns the step if one of them answers a request by the
   * guard.
   */
  #settleUnjudged(side: Side, messages: readonly MessageParts[]): Step | undefined {
    const { toServer, toClient } = this.#link;
    const answered = side === "client" ? toClient : toServer;
    const out = new Output();
    let isOwn = false;
    for (const message of messages) {
      if (message.kind === "request" && side === "client") {
        const { id, method } = message;
        expectUnjudged(this.#link, { id, method, era: eraOfRequest(message), correlation: "" });
      }
      if (message.kind !== "answer" || message.id === undefined) continue;
      const pending = answered.get(idKey(message.id));
      answered.delete(idKey(message.id));
      if (pending?.isOwn !== true) continue;
      isOwn = true;
      pending.fail?.(out);
    }
    return isOwn ? out : undefined;
  }
}

function messagesOf(reading: Reading | Unreadable | undefined): readonly MessageParts[] {
  return reading && "messages" in reading ? reading.messages : [];
}

/** Returns the ids of a message that was read, or the ids that an unreadable message seems to have. */
function idsOf(reading: Reading | Unreadable | undefined): readonly RequestId[] {
  if (reading && "ids" in reading) return reading.ids;
  return messagesOf(reading).flatMap((each) => ("id" in each && each.id !== undefined ? [each.id] : []));
}

/** Returns the properties that determine how a refusal is written. */
function refusable(request: RequestMessage): Refusable {
  const { id, method, params } = request;
  return { id, method, era: eraOfRequest(request), isTask: params["task"] !== undefined };
}

function forwarded(side: Side, message: Message): Step {
  const out = new Output();
  const to = side === "client" ? out.toServer : out.toClient;
  to.push({ message, value: parsedOf(message), origin: "forwarded" });
  out.action = "forward";
  return out;
}

/** Returns the value of an unjudged message for its transport; an empty object if the message is not strict JSON. */
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
