/** Limits of a visit. Times are in milliseconds. */
export interface Limits {
  /** The time from the start of the process, or the first request, to the answer to `initialize`. */
  readonly connectTimeout: number;
  /** For each later request. */
  readonly requestTimeout: number;
  /** The time for the complete visit to one server. */
  readonly totalTimeout: number;
  /** The total number of bytes that one server sends in one visit. */
  readonly maxBytes: number;
  /** The number of tools, and of prompts, resources and resource templates separately. */
  readonly maxItems: number;
  /** Pages of one list. */
  readonly maxPages: number;
}

/** A visit's default limits, which the command line's configuration also uses. */
export const DEFAULT_LIMITS: Limits = /* @__PURE__ */ Object.freeze({
  connectTimeout: 60_000,
  requestTimeout: 30_000,
  totalTimeout: 120_000,
  maxBytes: 16 * 1024 * 1024,
  maxItems: 10_000,
  maxPages: 1000,
});

/** How long a visit by default listens for changes after the last answer, in milliseconds. */
export const DEFAULT_SETTLE = 100;
