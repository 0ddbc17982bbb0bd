import { type ByRule, findingKinds, type Rules } from "@agentprint/findings";
import { CHAIN_RULES, type ChainRuleId } from "@agentprint/trail/rules";
import { EVENT_RULES } from "./event-rules.ts";
import { STORE_RULES } from "./store-rules.ts";

const { "trail/uncovered-members": uncovered, ...chain } = CHAIN_RULES;

type TrailRuleId = ChainRuleId | keyof typeof STORE_RULES | keyof typeof EVENT_RULES;

/** The rules of what a verification finds in a chain, its store and its events. */
export const TRAIL_RULES: Rules<TrailRuleId> = {
  ...chain,
  ...STORE_RULES,
  ...EVENT_RULES,
  "trail/uncovered-members": uncovered,
};

/** Makes a finding of a rule of {@link TRAIL_RULES}, without its place. */
export const byTrailRule: ByRule<TrailRuleId> = findingKinds(TRAIL_RULES);
