import type { JsonObject } from "@agentprint/canonical-json/json-value";
import type { Era } from "@agentprint/mcp-lock";
import type { EventRequest } from "../events.ts";
import type { AnswerMessage } from "../read/message-shape.ts";
import type { Reading } from "../read/read-message.ts";
import { idKey, type RequestId } from "../read/request-id.ts";
import type { Output } from "./output.ts";

/** A request that waits for its answer. */
export interface Pending {
  readonly id: RequestId;
  readonly method: string;
  readonly era: Era;
  readonly correlation: string;
  /** The digest of what came with the request, such as headers; absent for requests of the server and of the guard. */
  readonly presented?: string;
  /** What is told of it; absent where nobody is told, and of requests of the server. */
  readonly request?: EventRequest;
  readonly tool?: string;
  /** The metadata of a request of the client. */
  readonly meta?: JsonObject;
  /** Judges the answer; absent for requests of the server, whose answers go on as they came. */
  readonly settle?: (answer: AnswerMessage, reading: Reading, out: Output) => void;
  /** Ends what waits for the answer of the guard's own request, where the answer cannot be read. */
  readonly fail?: (out: Output) => void;
  /** Whether the guard sent it: its answer reaches nobody else. */
  readonly isOwn?: boolean;
  /** Whether the client expects a task in place of a result. */
  readonly isTask?: boolean;
}

/** A request of a client that the guard keeps back. */
export interface Held {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  /** Refuses it. */
  readonly refuse: (reason: string, out: Output) => void;
  /** Undoes what goes on while it waits. */
  stop: () => void;
}

/**
 * Settles the request that an answer is to; `false` where none waits under that very id. Where that fails, the request still waits, so
 * that it can be ended.
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
