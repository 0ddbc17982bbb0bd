import { ownMember } from "@agentprint/canonical-json/json-value";
import { checkArgument, POLICY } from "../check-argument.ts";
import type { Policy } from "./policy.ts";

/**
 * The rules about definitions, which a statement covers, so that anything that differs from the lock also differs from
 * the statement.
 */
const STATED: readonly string[] = [
  "mcp/schema-not-allowed",
  "mcp/tool-contract-changed",
  "mcp/contract-unproven",
  "mcp/schema-compatible",
  "mcp/input-widened",
  "mcp/free-text-added",
  "mcp/anything-added",
  "mcp/values-widened",
  "mcp/tool-prose-changed",
  "mcp/prose-signal",
  "mcp/hint-more-power",
  "mcp/hint-less-asking",
  "mcp/hint-default-written",
  "mcp/tool-hints-changed",
  "mcp/tool-rest-changed",
  "mcp/tool-renamed",
  "mcp/item-added",
  "mcp/item-removed",
  "mcp/item-changed",
  "mcp/number-changed",
];

/**
 * Returns the policy that a guard uses for a server: if a statement about the server is required, the guard lets only
 * the pinned definitions through, which the statement covers. All other decisions stay the same.
 *
 * @example
 * ```ts
 * import { asStated, decide, parsePolicy } from "@agentprint/policy";
 * import { DRIFT_CATALOG } from "@agentprint/mcp-lock";
 *
 * const keys = ["MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="];
 * const policy = parsePolicy({ preset: "breaking", statements: { files: { keys, required: true } } }, DRIFT_CATALOG);
 * const finding = { rule: "mcp/item-added", level: "error", place: { subject: "files", server: "files" } } as const;
 * console.log(decide(finding, policy).guard, decide(finding, asStated(policy, "files")).guard); // pass block
 * ```
 */
export function asStated(policy: Policy, server: string): Policy {
  checkArgument("policy", policy, POLICY);
  checkArgument("server", server, "string");
  const { statements = {}, servers } = policy;
  if (ownMember(statements, server)?.required !== true) return policy;
  const own = ownMember(servers, server) ?? { rules: {}, calls: {} };
  const rules = STATED.map((id) => [id, { ...ownMember(own.rules, id), guard: "block" }]);
  return {
    ...policy,
    servers: { ...servers, [server]: { ...own, rules: { ...own.rules, ...Object.fromEntries(rules) } } },
  };
}
