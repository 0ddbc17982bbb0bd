/** Limits for one message, one list or one connection. A message that exceeds a limit ends only its own request. */
export interface Limits {
  /** Bytes of one message. */
  readonly messageBytes: number;
  /** The number of levels of arrays and objects in a message. */
  readonly depth: number;
  /** Messages of one batch. */
  readonly batch: number;
  /** The number of requests from one side that wait for their answers. */
  readonly pending: number;
  /** The number of calls that wait for a list or for a person's answer. */
  readonly held: number;
  /** The number of clients that the server can distinguish and whose verified lists are kept. */
  readonly clients: number;
  /** Pages of one list. */
  readonly pages: number;
  /** Items of one list. */
  readonly items: number;
  /** The number of characters in all messages of one list. */
  readonly listLength: number;
  /** The number of milliseconds for a listing by the guard. */
  readonly listingMs: number;
  /** The number of milliseconds for a person's answer. */
  readonly askMs: number;
}

/** A guard's default {@link Limits}. */
export const DEFAULT_LIMITS: Limits = /* @__PURE__ */ Object.freeze({
  messageBytes: 16_777_216,
  depth: 256,
  batch: 100,
  pending: 10_000,
  held: 2_000,
  clients: 1_000,
  pages: 1_000,
  items: 20_000,
  listLength: 67_108_864,
  listingMs: 30_000,
  askMs: 300_000,
});
