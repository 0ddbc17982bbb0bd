import type { JsonValue } from "@agentprint/canonical-json";

/** The level of a finding unless a policy sets another one; a `note` informs. */
export type FindingLevel = "error" | "warning" | "note";

/** The meaning of a rule, and what to do about its findings. */
export interface DriftRule {
  /** The level of the findings of this rule; a finding at a particular place can have another level. */
  readonly level: FindingLevel;
  readonly summary: string;
  readonly help: string;
  /** The reason why it matters, in one or two sentences. */
  readonly why: string;
  readonly example: RuleExample;
  /** Present where the findings are observations and no differences: they count only where a policy names the rule. */
  readonly isRemark?: true;
}

/** An example of a finding of a rule: the changed members, or a noted value. */
export interface RuleExample {
  readonly text: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** The advice for an intended difference. */
export const APPROVE =
  "Review the change, then run `agentprint approve <server>`, or go back to the version that was locked.";
