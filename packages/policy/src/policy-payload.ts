import { canonicalize, compareCodeUnits, hashCanonical, type JsonObject } from "@agentprint/canonical-json";
import type {
  CallRule,
  Ignore,
  Policy,
  RuleDecisions,
  ServerPolicy,
  SigstoreRule,
  StatementRule,
} from "./apply/policy.ts";
import { checkArgument, POLICY } from "./check-argument.ts";
import { mapMembers } from "./map-members.ts";

/**
 * Returns the payload of a policy: a normalized document that {@link parsePolicy} reads as the same policy. Presets
 * stay as names, members that decide nothing are omitted, and ignores are sorted without duplicates.
 *
 * @example
 * ```ts
 * import { DRIFT_CATALOG } from "@agentprint/mcp-lock";
 * import { parsePolicy, policyCanonicalPayload } from "@agentprint/policy";
 *
 * const policy = parsePolicy({ preset: "strict", ignores: [], servers: { files: { failOn: "error" } } }, DRIFT_CATALOG);
 * console.log(policyCanonicalPayload(policy)); // { servers: { files: { failOn: "error" } } }
 * ```
 */
export function policyCanonicalPayload(policy: Policy): JsonObject {
  checkArgument("policy", policy, POLICY);
  const { preset, failOn, rules, ignores, results, servers, statements = {} } = policy;
  return {
    ...(preset !== "strict" && { preset }),
    ...(failOn && { failOn }),
    ...filled("rules", decidingRules(rules)),
    ...(ignores.length > 0 && { ignores: sortedOnce(ignores) }),
    ...(results && { results: { ...results } }),
    ...filled("servers", deciding(mapMembers(servers, payloadOfServer))),
    ...filled(
      "statements",
      mapMembers(
        statements,
        ({ keys, sigstore, ...rule }: StatementRule): JsonObject => ({
          ...rule,
          ...(keys.length > 0 && { keys: [...keys] }),
          ...(sigstore && { sigstore: { ...sigstore, identities: sortedOnce(sigstore.identities) } }),
        }),
      ),
    ),
  };
}

/**
 * Returns a policy's digest: the SHA-256 of its payload's canonical text, as 64 lowercase hex digits.
 *
 * @example
 * ```ts
 * import { DRIFT_CATALOG } from "@agentprint/mcp-lock";
 * import { hashPolicy, parsePolicy } from "@agentprint/policy";
 *
 * console.log(hashPolicy(parsePolicy({}, DRIFT_CATALOG)) === hashPolicy(parsePolicy({ preset: "strict" }, DRIFT_CATALOG))); // true
 * ```
 */
export function hashPolicy(policy: Policy): string {
  checkArgument("policy", policy, POLICY);
  return hashCanonical(policyCanonicalPayload(policy));
}

function payloadOfServer({ preset, failOn, rules, calls, results }: ServerPolicy): JsonObject {
  return {
    ...(preset && { preset }),
    ...(failOn && { failOn }),
    ...filled("rules", decidingRules(rules)),
    ...filled("calls", deciding(mapMembers(calls, (call: CallRule): JsonObject => ({ ...call })))),
    ...(results && { results: { ...results } }),
  };
}

function decidingRules(rules: RuleDecisions): JsonObject {
  return deciding(mapMembers(rules, (decisions): JsonObject => ({ ...decisions })));
}

/** Returns the members that are not empty. */
function deciding(members: Readonly<Record<string, JsonObject>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => Object.keys(member).length > 0));
}

function filled(name: string, members: JsonObject): JsonObject {
  return Object.keys(members).length > 0 ? { [name]: members } : {};
}

function sortedOnce(members: readonly (Ignore | SigstoreRule["identities"][number])[]): JsonObject[] {
  const byText = new Map(members.map((member) => [canonicalize(member), member]));
  return [...byText].sort(([a], [b]) => compareCodeUnits(a, b)).map(([, member]) => ({ ...member }));
}
