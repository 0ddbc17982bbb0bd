import { ownMember } from "@agentprint/canonical-json/json-value";
import { checkArgument, POLICY } from "../check-argument.ts";
import type { Screening } from "./decisions.ts";
import type { Policy } from "./policy.ts";

/**
 * Returns how a policy screens a server's messages.
 *
 * @example
 * ```ts
 * import { DRIFT_CATALOG } from "@agentprint/mcp-lock";
 * import { parsePolicy, screeningOf } from "@agentprint/policy";
 *
 * const servers = { notes: { results: { screen: "withhold" } } };
 * const policy = parsePolicy({ results: { screen: "warn" }, servers }, DRIFT_CATALOG);
 * console.log(screeningOf(policy, "files"), screeningOf(policy, "notes")); // warn withhold
 * ```
 */
export function screeningOf(policy: Policy, server: string): Screening {
  checkArgument("policy", policy, POLICY);
  checkArgument("server", server, "string");
  return ownMember(policy.servers, server)?.results?.screen ?? policy.results?.screen ?? "off";
}
