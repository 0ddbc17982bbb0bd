/** The limits of one message, one list or one connection. Breaking a limit ends that request only. */
export interface Limits {
  /** Bytes of one message. */
  readonly messageBytes: number;
  /** Levels of arrays and objects in one message. */
  readonly depth: number;
  /** Messages of one batch. */
  readonly batch: number;
  /** Requests of one side that wait for their answers. */
  readonly pending: number;
  /** Calls that wait for a list or for an answer of a person. */
  readonly held: number;
  /** Clients of one server that the server can tell apart and whose verified lists are kept. */
  readonly clients: number;
  /** Pages of one list. */
  readonly pages: number;
  /** Items of one list. */
  readonly items: number;
  /** Characters of the messages of one list. */
  readonly listLength: number;
  /** Milliseconds for the guard's own listing. */
  readonly listingMs: number;
  /** Milliseconds for the answer of a person. */
  readonly askMs: number;
}

/** The default {@link Limits} of a guard. */
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
