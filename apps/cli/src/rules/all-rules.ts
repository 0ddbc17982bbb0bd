import { DRIFT_RULES } from "@agentprint/mcp-lock";
import type { Rule } from "@agentprint/report";
import { TURN_RULES } from "../capabilities/turns-to-report.ts";
import { CHANGE_RULES } from "../manifest/change-rules.ts";
import { ISSUE_RULES, WARNING_RULES } from "../manifest/issue-rules.ts";
import { SPEC_RULES } from "../spec/spec-report.ts";
import { COMPARISON_RULES } from "../text/comparison-report.ts";
import { TREE_RULES } from "../text/tree-report.ts";
import { TRAIL_RULES } from "../trail/trail-report.ts";

/** Every rule that a finding can refer to, by id, with the command that it is a rule of. */
export const ALL_RULES: ReadonlyMap<string, Rule & { readonly command: string }> = new Map(
  [
    ["agentprint check", DRIFT_RULES] as const,
    ["agentprint manifest validate", { ...ISSUE_RULES, ...WARNING_RULES }] as const,
    ["agentprint manifest diff", CHANGE_RULES] as const,
    ["agentprint capabilities diff", TURN_RULES] as const,
    ["agentprint spec check", SPEC_RULES] as const,
    ["agentprint text tree", TREE_RULES] as const,
    ["agentprint text compare", COMPARISON_RULES] as const,
    ["agentprint trail verify", TRAIL_RULES] as const,
  ].flatMap(([command, rules]) => Object.entries(rules).map(([id, rule]) => [id, { ...rule, command }])),
);

/** Ids of the rules whose level `agentprint.config.json` can change. */
export const CONFIGURABLE: ReadonlySet<string> = new Set([WARNING_RULES, CHANGE_RULES].flatMap(Object.keys));
