import type { Finding } from "@agentprint/findings";
import { checkArgument } from "../check-argument.ts";

/** The end of the message about a schema whose calls stay valid but may do something else. */
export const IN_WHAT_A_CALL_DOES = "in what a call does";

/** The end of the message about an item other than a tool that may no longer be available. */
export const MAY_BREAK = ", callers may break";

/**
 * Returns whether a finding means that every valid call stays valid. This is so for a compatible schema, a schema that
 * changed only in what a call does, a prompt, resource or content that is still available, and an additional era of
 * MCP.
 *
 * @example
 * ```ts
 * import { checkLock, driftFindings, leavesCallsValid } from "@agentprint/mcp-lock";
 *
 * console.log(driftFindings(checkLock(lock, {})).some(leavesCallsValid)); // false
 * ```
 */
export function leavesCallsValid(finding: Pick<Finding, "rule" | "message" | "before">): boolean {
  checkArgument("finding", finding, { rule: "string", message: "string" });
  switch (finding.rule) {
    case "mcp/schema-compatible":
      return true;
    case "mcp/contract-unproven":
      return finding.message.endsWith(IN_WHAT_A_CALL_DOES);
    case "mcp/item-changed":
      return !finding.message.endsWith(MAY_BREAK);
    case "mcp/era-changed":
      return finding.before === undefined;
    default:
      return false;
  }
}

/** The rules about changes after which a call that worked can fail. */
const CAN_BREAK: ReadonlySet<string> = new Set([
  "mcp/schema-not-allowed",
  "mcp/tool-contract-changed",
  "mcp/contract-unproven",
  "mcp/item-removed",
  "mcp/item-changed",
  "mcp/tool-renamed",
  "mcp/era-changed",
]);

/**
 * Returns whether a finding means that calls that worked fail now, or may fail. Changed hints, texts and launches break
 * no call, even if a policy treats them as errors, and neither do remarks, which are not differences.
 *
 * @example
 * ```ts
 * import { breaksCallers, checkLock, driftFindings } from "@agentprint/mcp-lock";
 *
 * console.log(driftFindings(checkLock(lock, {})).some(breaksCallers)); // false
 * ```
 */
export function breaksCallers(finding: Pick<Finding, "rule" | "message" | "before" | "isRemark">): boolean {
  checkArgument("finding", finding, { rule: "string", message: "string" });
  return !finding.isRemark && CAN_BREAK.has(finding.rule) && !leavesCallsValid(finding);
}
