/** Limits of a visit. Times are in milliseconds. */
export interface Limits {
  /** From the start of the process, or the first request, to the answer to `initialize`. */
  readonly connectTimeout: number;
  /** For each later request. */
  readonly requestTimeout: number;
  /** For the complete visit of one server. */
  readonly totalTimeout: number;
  /** All bytes that one server sends in one visit, together. */
  readonly maxBytes: number;
  /** Tools, and each of prompts, resources and resource templates. */
  readonly maxItems: number;
  /** Pages of one list. */
  readonly maxPages: number;
}

/** The default limits of a visit, also for a configuration of the command line. */
export const DEFAULT_LIMITS: Limits = /* @__PURE__ */ Object.freeze({
  connectTimeout: 60_000,
  requestTimeout: 30_000,
  totalTimeout: 120_000,
  maxBytes: 16 * 1024 * 1024,
  maxItems: 10_000,
  maxPages: 1000,
});

/** How long a visit listens for changes after the last answer by default, in milliseconds. */
export const DEFAULT_SETTLE = 100;
