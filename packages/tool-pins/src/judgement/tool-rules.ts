import type { FindingKind, Level } from "@agentprint/findings";

/** The id of a rule of findings on tools. `@agentprint/mcp-lock` has the words of the rules. */
export type ToolRuleId =
  | "mcp/item-added"
  | "mcp/item-removed"
  | "mcp/schema-not-allowed"
  | "mcp/tool-contract-changed"
  | "mcp/contract-unproven"
  | "mcp/schema-compatible"
  | "mcp/input-widened"
  | "mcp/free-text-added"
  | "mcp/anything-added"
  | "mcp/values-widened"
  | "mcp/tool-prose-changed"
  | "mcp/prose-signal"
  | "mcp/hint-more-power"
  | "mcp/hint-less-asking"
  | "mcp/hint-default-written"
  | "mcp/tool-hints-changed"
  | "mcp/tool-rest-changed"
  | "mcp/tool-renamed";

/** The levels of the rules: only that a tool is new is less than an error. */
export type ToolRuleLevels = { readonly [Id in ToolRuleId]: Id extends "mcp/item-added" ? "warning" : "error" };

/** The rule, level and message of a finding on a tool, without its place. */
export type ToolFindingKind = FindingKind<ToolRuleId>;

/** Makes a finding of a rule, without its place and values; `level` replaces the level of the rule. */
export function toolFinding(
  rule: ToolRuleId,
  message: string,
  level: Level = rule === "mcp/item-added" ? "warning" : "error",
): ToolFindingKind {
  return { rule, level, message };
}
