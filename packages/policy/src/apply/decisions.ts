import { LEVELS, type Level } from "@agentprint/findings";

/** The decisions of a check about a finding, from low to high: leave it out, or report it at this level. */
export const CHECK_DECISIONS: readonly CheckDecision[] = /* @__PURE__ */ Object.freeze(["off", ...LEVELS]);

/**
 * The decisions of a guard about a difference, each stricter than the one before.
 *
 * - `pass`: the client receives the live definitions, and calls go through.
 * - `freeze`: the client receives the locked definitions, and calls go through, so the server's texts have no effect,
 *   but its program does.
 * - `ask`: the client receives the locked definitions, and a person has to agree before each call. It is stricter than
 *   `freeze`, because no call reaches the server unseen.
 * - `block`: no call reaches the server.
 */
export const GUARD_DECISIONS: readonly GuardDecision[] = /* @__PURE__ */ Object.freeze([
  "pass",
  "freeze",
  "ask",
  "block",
]);

/**
 * The ways in which a guard handles messages from a server that contain terminal escapes or invisible characters. Each
 * is stricter than the one before.
 */
export const SCREENINGS: readonly Screening[] = /* @__PURE__ */ Object.freeze(["off", "warn", "withhold"]);

/** A policy's decision about a check's finding: a level, or `off`. */
export type CheckDecision = "off" | Level;

/** One of {@link GUARD_DECISIONS}. */
export type GuardDecision = "pass" | "freeze" | "ask" | "block";

/**
 * - `off`: the guard does not look for such characters.
 * - `warn`: the guard passes the message on, and reports it.
 * - `withhold`: the message is refused.
 */
export type Screening = "off" | "warn" | "withhold";

/** The two decisions about a finding. */
export interface Decisions {
  readonly check: CheckDecision;
  readonly guard: GuardDecision;
}
