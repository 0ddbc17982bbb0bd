import type { FindingLevel } from "./drift-rule.ts";
import { DRIFT_RULES, type DriftRuleId } from "./drift-rules.ts";
import type { DriftFinding } from "./finding.ts";

/** The rule, level and message of a finding, without its place. */
export type FindingKind = Pick<DriftFinding, "rule" | "level" | "message">;

/** The rule, level and message of a finding. `level` replaces the level of the rule. */
export function byRule(rule: DriftRuleId, message: string, level: FindingLevel = DRIFT_RULES[rule].level): FindingKind {
  return { rule, level, message };
}
