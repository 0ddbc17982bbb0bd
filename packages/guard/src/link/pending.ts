import type { JsonObject } from "@agentprint/canonical-json/json-value";
import { type AnswerMessage, type Era, idKey, type NumberTexts, type RequestId } from "@agentprint/mcp";
import type { EventRequest } from "../events.ts";
import type { Output } from "./output.ts";

/** A request that waits for its answer, which comes as an `Answer`. */
export interface PendingRequest<Answer> {
  readonly id: RequestId;
  readonly method: string;
  readonly era: Era;
  readonly correlation: string;
  /** The digest of its credentials and headers; absent for requests of the server and of the guard. */
  readonly presented?: string;
  /** Its description for events; absent if no event is recorded, and for requests of the server. */
  readonly request?: EventRequest;
  readonly tool?: string;
  /** The metadata of a request of the client. */
  readonly meta?: JsonObject;
  /** Judges the answer; absent for requests of the server, whose answers are forwarded unchanged. */
  readonly settle?: (answer: Answer) => void;
  /** Ends the wait for the answer to a request of the guard, if that answer cannot be read. */
  readonly fail?: (out: Output) => void;
  /** Whether the guard sent the request, so that the answer is not forwarded. */
  readonly isOwn?: boolean;
  /** Whether the client expects a task instead of a result. */
  readonly isTask?: boolean;
}

/** A request of the guard to the server. */
export interface OwnRequest {
  readonly method: string;
  readonly params?: JsonObject | undefined;
  /** The id of the client's request that waits for it. */
  readonly because: RequestId | undefined;
}

/** The answer to a request of the guard. */
export interface OwnAnswer {
  /** Absent if the answer is an error. */
  readonly result: JsonObject | undefined;
  /** The text of its message; absent for a parsed value. */
  readonly text: string | undefined;
  /** The texts of the numbers of its items that a double changes; absent for a parsed value. */
  readonly numbers: NumberTexts | undefined;
}

/** Takes the answer to a request of the guard; `undefined` if none is usable. */
export type Settled = (answer: OwnAnswer | undefined, out: Output) => void;

/** A client request that the guard holds. */
export interface Held {
  readonly id: RequestId;
  /** Refuses the request. */
  readonly refuse: (reason: string, out: Output) => void;
  /** Stops the work that the held request started. */
  readonly stop: () => void;
}

/**
 * Settles the request that a message answers. Returns `false` if none is pending with an id that `answers` accepts. If
 * `settle` throws, the request stays pending, so that it can be ended.
 */
export function settlePending<Found extends { readonly id: RequestId }>(
  pending: Map<string, Found>,
  { id }: AnswerMessage,
  answers: (answered: RequestId, asked: RequestId) => boolean,
  settle: (found: Found) => void,
): boolean {
  const found = id === undefined ? undefined : pending.get(idKey(id));
  if (found === undefined || id === undefined || !answers(id, found.id)) return false;
  settle(found);
  pending.delete(idKey(found.id));
  return true;
}
