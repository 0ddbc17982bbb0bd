/** What a check does with a finding: leaves it out, or reports it at this level. Each is lower than the next. */
export const CHECK_DECISIONS = ["off", "note", "warning", "error"] as const;

/**
 * What a guard does with a difference. Each is lower than the next.
 *
 * - `pass`: the client is shown what is there now, and calls go through.
 * - `freeze`: the client is shown what was locked, and calls go through: no text of the server has an effect, its program has.
 * - `ask`: the client is shown what was locked, and somebody agrees before each call. It is higher than `freeze`, because no
 *   call reaches the server unseen.
 * - `block`: no call reaches the server.
 */
export const GUARD_DECISIONS = ["pass", "freeze", "ask", "block"] as const;

/** The levels of findings. Each is lower than the next. */
export const LEVELS = ["note", "warning", "error"] as const;

/** One of {@link CHECK_DECISIONS}. */
export type CheckDecision = (typeof CHECK_DECISIONS)[number];

/** One of {@link GUARD_DECISIONS}. */
export type GuardDecision = (typeof GUARD_DECISIONS)[number];

/** The level of a finding. */
export type Level = (typeof LEVELS)[number];

/** The two decisions about a finding. */
export interface Decisions {
  readonly check: CheckDecision;
  readonly guard: GuardDecision;
}
