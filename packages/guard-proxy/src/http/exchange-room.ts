import type { ServerResponse } from "node:http";
import { AnswerRoom, type Hold } from "@agentprint/http-bounds";

/** Bytes that an exchange takes in addition to its messages. */
const BASE = 64 * 1024;

/** The text for clients whose answer does not fit, because other clients do not read theirs. */
export const NO_ROOM = "Responses to other clients take all memory";

/** The error for a message for which there is no memory. */
export class NoRoomError extends Error {
  override readonly name = "NoRoomError";

  constructor() {
    super(NO_ROOM);
  }
}

/** The memory of one request and its answer. */
export class ExchangeHold {
  readonly #hold: Hold;
  #requestBytes = 0;
  #answerBytes = 0;

  constructor(hold: Hold) {
    this.#hold = hold;
  }

  /** Reserves memory for the body of the request; returns whether there is enough. */
  fitsRequest(bytes: number): boolean {
    this.#requestBytes = bytes;
    return this.#fits();
  }

  /** Reserves memory for the bytes of the answer that are in the process; returns whether there is enough. */
  fitsAnswer(bytes: number): boolean {
    this.#answerBytes = bytes;
    return this.#fits();
  }

  #fits(): boolean {
    return this.#hold.resize(BASE + this.#requestBytes + this.#answerBytes);
  }
}

const HOLDS = new WeakMap<ServerResponse, ExchangeHold>();

/**
 * Returns a function that reserves memory for an exchange until its last byte has left the process; the function
 * returns `undefined` if there is none.
 */
export function exchangeRoom(): (response: ServerResponse) => ExchangeHold | undefined {
  const room = new AnswerRoom();
  return (response) => {
    const hold = room.take(BASE);
    if (hold === undefined) return undefined;
    const exchange = new ExchangeHold(hold);
    HOLDS.set(response, exchange);
    response.once("close", hold.free);
    return exchange;
  };
}

/**
 * Reserves memory for the bytes of an answer that are in the process; returns whether there is enough. An answer
 * without a gateway has no bound.
 */
export function fitsAnswer(response: ServerResponse, bytes: number): boolean {
  return HOLDS.get(response)?.fitsAnswer(bytes) ?? true;
}
