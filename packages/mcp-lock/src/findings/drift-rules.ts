import { deepFreeze } from "@agentprint/canonical-json";
import { catalogOf, type RuleCatalog, type Rules } from "@agentprint/findings";
import { AUTH_RULES, type AuthRuleId } from "../auth/auth-rules.ts";
import { REMARK_RULES, type RemarkRuleId } from "./remark-rules.ts";
import { SERVER_RULES, type ServerRuleId } from "./server-rules.ts";
import { TOOL_RULES, type ToolRuleId } from "./tool-rules.ts";

/** The id of a rule by which a server is checked against the lock. */
export type DriftRuleId = ToolRuleId | ServerRuleId | AuthRuleId | RemarkRuleId;

/**
 * The rules of a check against the lock, by id: what a finding means and what to do about it.
 *
 * @example
 * ```ts
 * import { DRIFT_RULES } from "@agentprint/mcp-lock";
 *
 * console.log(DRIFT_RULES["mcp/item-removed"].summary); // "A locked item was removed."
 * ```
 */
export const DRIFT_RULES: Rules<DriftRuleId> = /* @__PURE__ */ deepFreeze({
  ...TOOL_RULES,
  ...SERVER_RULES,
  ...AUTH_RULES,
  ...remarks(),
});

function remarks(): Rules<RemarkRuleId> {
  const rules = Object.entries(REMARK_RULES).map(([id, rule]) => [id, { ...rule, isRemark: true }]);
  return Object.fromEntries(rules) as Rules<RemarkRuleId>;
}

/**
 * The rules of a check against the lock, in the form in which a policy can name them.
 *
 * @example
 * ```ts
 * import { DRIFT_CATALOG } from "@agentprint/mcp-lock";
 *
 * console.log(DRIFT_CATALOG.find("item-added")); // { id: "mcp/item-added", isConfigurable: true }
 * ```
 */
export const DRIFT_CATALOG: RuleCatalog = /* @__PURE__ */ catalogOf(DRIFT_RULES);
