import type { Rule } from "@agentprint/report";
import { CHANGE_RULES } from "../manifest/change-rules.ts";
import { ISSUE_RULES, WARNING_RULES } from "../manifest/issue-rules.ts";

/** Every rule that can be explained and configured, by id. */
export const ALL_RULES: ReadonlyMap<string, Rule & { readonly command: string }> = new Map(
  [
    ["agentprint manifest validate", { ...ISSUE_RULES, ...WARNING_RULES }] as const,
    ["agentprint manifest diff", CHANGE_RULES] as const,
  ].flatMap(([command, rules]) => Object.entries(rules).map(([id, rule]) => [id, { ...rule, command }])),
);

/** Ids of the rules whose level can be changed: what refuses a manifest refuses it everywhere. */
export const CONFIGURABLE: ReadonlySet<string> = new Set(
  [...ALL_RULES.keys()].filter((id) => !Object.hasOwn(ISSUE_RULES, id)),
);
