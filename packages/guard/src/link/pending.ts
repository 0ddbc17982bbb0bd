import type { JsonObject } from "@agentprint/canonical-json/json-value";
import { type AnswerMessage, type Era, idKey, type RequestId } from "@agentprint/mcp";
import type { EventRequest } from "../events.ts";
import type { Reading } from "../read/read-message.ts";
import type { Output } from "./output.ts";

/** A request that waits for its answer. */
export interface Pending {
  readonly id: RequestId;
  readonly method: string;
  readonly era: Era;
  readonly correlation: string;
  /** The digest of its credentials and headers; absent for requests of the server and of the guard. */
  readonly presented?: string;
  /** Its description for events; absent where no event is recorded, and for requests of the server. */
  readonly request?: EventRequest;
  readonly tool?: string;
  /** The metadata of a request of the client. */
  readonly meta?: JsonObject;
  /** Judges the answer; absent for requests of the server, whose answers go on as they came. */
  readonly settle?: (answer: AnswerMessage, reading: Reading, out: Output) => void;
  /** Ends the wait for the answer to a request of the guard, where that answer cannot be read. */
  readonly fail?: (out: Output) => void;
  /** Whether the guard sent the request, so that the answer is not forwarded. */
  readonly isOwn?: boolean;
  /** Whether the client expects a task in place of a result. */
  readonly isTask?: boolean;
}

/** A client request that the guard holds. */
export interface Held {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  /** Refuses the request. */
  readonly refuse: (reason: string, out: Output) => void;
  /** Stops the work that the held request started. */
  stop: () => void;
}

/**
 * Settles the request that a message answers. Returns `false` where none is pending under that exact id. If `settle`
 * throws, the request stays pending, so that it can be ended.
 */
export function settlePending(
  pending: Map<string, Pending>,
  message: AnswerMessage,
  settle: (found: Pending) => void,
): boolean {
  const { id } = message;
  const found = id === undefined ? undefined : pending.get(idKey(id));
  if (found === undefined || found.id !== id) return false;
  settle(found);
  pending.delete(idKey(found.id));
  return true;
}
