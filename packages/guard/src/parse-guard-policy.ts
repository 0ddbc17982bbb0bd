import { catalogOf } from "@agentprint/findings";
import { DRIFT_RULES } from "@agentprint/mcp-lock";
import { type ParsePolicyOptions, type Policy, parsePolicy } from "@agentprint/policy";
import { checkArgument } from "./check-argument.ts";
import { GUARD_RULES } from "./rules.ts";

const CATALOG = catalogOf({ ...DRIFT_RULES, ...GUARD_RULES });

/**
 * Reads a policy that names rules about changes to an MCP server (`mcp/…`) and about its messages (`guard/…`).
 *
 * @param value A parsed JSON document of at most 1 MiB and 256 levels.
 * @throws {@link @agentprint/policy!PolicyError} With the code and the place of the first error; `unknown-rule` for a
 * rule from another domain.
 * @example
 * ```ts
 * import { parseGuardPolicy } from "@agentprint/guard";
 *
 * const policy = parseGuardPolicy({ preset: "compatible", rules: { "item-added": { guard: "ask" } } });
 * console.log(policy.rules); // { "mcp/item-added": { guard: "ask" } }
 * ```
 */
export function parseGuardPolicy(value: unknown, options: ParsePolicyOptions = {}): Policy {
  checkArgument("options", options, "object");
  return parsePolicy(value, CATALOG, options);
}
