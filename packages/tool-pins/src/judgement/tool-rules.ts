import type { FindingKind, Level } from "@agentprint/findings";
import type { HintEffect } from "../changes/hint-changes.ts";
import type { Layer } from "../tool/tool-layers.ts";

/** The id of a rule for findings on tools. `@agentprint/mcp-lock` has the rules' texts. */
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

/** The levels of the rules. Only a new tool is less than an error. */
export type ToolRuleLevels = { readonly [Id in ToolRuleId]: Id extends "mcp/item-added" ? "warning" : "error" };

/** The rule, level and message of a finding on a tool, without its place. */
export type ToolFindingKind = FindingKind<ToolRuleId>;

/** Makes a rule's finding, without its place and values; `level` replaces the rule's level. */
export function toolFinding(
  rule: ToolRuleId,
  message: string,
  level: Level = rule === "mcp/item-added" ? "warning" : "error",
): ToolFindingKind {
  return { rule, level, message };
}

/** Returns the finding for a change when only its layer is known. */
export function changeOfLayer(layer: Layer): ToolFindingKind {
  const [rule, message] = CHANGES[layer];
  return toolFinding(rule, message);
}

/** Returns the finding for a changed annotation. */
export function changeOfHint(effect: HintEffect): ToolFindingKind {
  if (effect === "other") return changeOfLayer("hints");
  return toolFinding(`mcp/hint-${effect}`, `hint changed ${HINTS[effect]}`);
}

const CHANGES: Readonly<Record<Layer, readonly [ToolRuleId, string]>> = {
  contract: ["mcp/contract-unproven", "contract changed, and it was not judged whether callers can continue"],
  prose: ["mcp/tool-prose-changed", "prose changed"],
  hints: ["mcp/tool-hints-changed", "annotation changed"],
  rest: ["mcp/tool-rest-changed", "other member changed"],
};
const HINTS = {
  "more-power": "towards more power",
  "less-asking": "towards less asking",
  "default-written": "that says nothing",
};
