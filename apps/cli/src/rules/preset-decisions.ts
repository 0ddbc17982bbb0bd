import { DEFAULT_POLICY, type Decisions, decide, PRESET_NAMES, type PresetName } from "@agentprint/policy/apply";
import type { ListedRule } from "./rule-list.ts";

type PresetRule = Pick<ListedRule, "id" | "level" | "isRemark">;

/** Returns the decisions of each preset on a finding with the level of its rule. */
export function presetDecisions({ id, level, isRemark }: PresetRule): Record<PresetName, Decisions> {
  const finding = {
    rule: id,
    level,
    place: { subject: "" },
    ...(isRemark && { isRemark }),
    ...(id === "mcp/could-not-tell" && { couldNotTell: true as const }),
  };
  const decisions = PRESET_NAMES.map((preset) => [preset, decide(finding, { ...DEFAULT_POLICY, preset })]);
  return Object.fromEntries(decisions) as Record<PresetName, Decisions>;
}

/**
 * Returns the decisions in a few words. A guard is in front of an MCP server, so only findings about servers have a
 * decision for a guard.
 */
export function decisionsInWords(id: string, { check, guard }: Decisions): string {
  return /^(?:guard|policy)\/|^mcp\/(?!permission-)/.test(id) ? `${check}, ${guard}` : check;
}

/** Returns the decisions of each preset on a rule, in one line. */
export function presetsInWords(rule: PresetRule): string {
  const decisions = presetDecisions(rule);
  return PRESET_NAMES.map((preset) => `${preset}: ${decisionsInWords(rule.id, decisions[preset])}`).join("; ");
}
