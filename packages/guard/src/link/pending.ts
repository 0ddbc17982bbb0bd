import type { JsonObject } from "@agentprint/canonical-json/json-value";
import { type AnswerMessage, type Era, idKey, type NumberTexts, type RequestId } from "@agentprint/mcp";
import type { EventRequest } from "../events.ts";
import type { Output } from "./output.ts";

/** A request that is waiting for its answer, which arrives as an `Answer`. */
export interface PendingRequest<Answer> {
  readonly id: RequestId;
  readonly method: string;
  readonly era: Era;
  readonly correlation: string;
  /** The digest of its credentials and headers; absent for requests by the server and by the guard. */
  readonly presented?: string;
  /** Its description for events; absent if no events are recorded, and for requests by the server. */
  readonly request?: EventRequest;
  readonly tool?: string;
  /** The metadata of a client's request. */
  readonly meta?: JsonObject;
  /** Judges the answer; absent for requests by the server, whose answers are forwarded unchanged. */
  readonly settle?: (answer: Answer) => void;
  /** Stops waiting for the answer to a request by the guard if the answer cannot be read. */
  readonly fail?: (out: Output) => void;
  /** Whether the guard sent the request, so that the answer is not forwarded. */
  readonly isOwn?: boolean;
  /** Whether the client expects a task instead of a result. */
  readonly isTask?: boolean;
}

/** A request by the guard to the server. */
export interface OwnRequest {
  readonly method: string;
  readonly params?: JsonObject | undefined;
  /** The id of the client's request that is waiting for it. */
  readonly because: RequestId | undefined;
}

/** The answer to a request by the guard. */
export interface OwnAnswer {
  /** Absent if the answer is an error. */
  readonly result: JsonObject | undefined;
  /** The text of the answer's message; absent for a parsed value. */
  readonly text: string | undefined;
  /** The texts of the numbers in the answer's items that a double changes; absent for a parsed value. */
  readonly numbers: NumberTexts | undefined;
}

/** Receives the answer to a request by the guard; `undefined` if there is no usable answer. */
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
 * Settles the request that a message answers. Returns `false` if no request is pending with an id that `answers`
 * accepts. If `settle` throws, the request stays pending, so that it can still be ended.
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
