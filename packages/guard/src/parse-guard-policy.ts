import { DRIFT_RULES } from "@agentprint/mcp-lock";
import { type ParsePolicyOptions, type Policy, parsePolicy, type RuleCatalog } from "@agentprint/policy";
import { GUARD_RULES } from "./rules.ts";

/** A rule that no policy changes: a server that could not be read is never as it was pinned. */
const FIXED = "mcp/could-not-tell";
const IDS: readonly string[] = [...Object.keys(DRIFT_RULES), ...Object.keys(GUARD_RULES)];

const RULES: RuleCatalog = {
  find(given) {
    const matching = IDS.filter((id) => id === given || id.slice(id.indexOf("/") + 1) === given);
    const [id] = matching;
    return id === undefined || matching.length > 1 ? undefined : { id, isConfigurable: id !== FIXED };
  },
};

/**
 * Reads a policy that names rules of changes of an MCP server (`mcp/…`) and of its messages (`guard/…`).
 *
 * @param value A parsed JSON document of at most 1 MiB and 256 levels.
 * @throws {@link @agentprint/policy!PolicyError} With the code and the place of the first thing that is wrong, `unknown-rule` for a
 * rule of another domain.
 * @example
 * ```ts
 * import { parseGuardPolicy } from "@agentprint/guard";
 *
 * const policy = parseGuardPolicy({ preset: "compatible", rules: { "item-added": { guard: "ask" } } });
 * console.log(policy.rules); // { "mcp/item-added": { guard: "ask" } }
 * ```
 */
export function parseGuardPolicy(value: unknown, options: ParsePolicyOptions = {}): Policy {
  return parsePolicy(value, RULES, options);
}
