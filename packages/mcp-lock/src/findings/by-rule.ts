import { type ByRule, findingKinds } from "@agentprint/findings";
import { DRIFT_RULES, type DriftRuleId } from "./drift-rules.ts";

/** Creates a finding for a rule of {@link DRIFT_RULES}, without its place and values. */
export const byRule: ByRule<DriftRuleId> = /* @__PURE__ */ findingKinds(DRIFT_RULES);

/** The rule, level and message of a finding, without its place. */
export type DriftFindingKind = ReturnType<typeof byRule>;
