import {
  CanonicalJsonError,
  canonicalizeToBytes,
  compareCodeUnits,
  deepFreeze,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  type PathSegment,
  parseJson,
  toPointer,
} from "@agentprint/canonical-json";
import type { RuleCatalog } from "@agentprint/findings";
import type * as z from "zod";
import type { CallRule, Policy, ServerPolicy, StatementRule } from "../apply/policy.ts";
import { checkArguments } from "../calls/check-arguments.ts";
import { PolicyError } from "../errors.ts";
import { MAX_POLICY_BYTES, MAX_POLICY_DEPTH } from "../limits.ts";
import { mapMembers } from "../map-members.ts";
import { parseSettings } from "../settings/parse-settings.ts";
import { policyErrorOf } from "./describe-issue.ts";
import { FullIds } from "./full-ids.ts";
import { type DocumentCall, type DocumentServer, type DocumentStatement, PolicySchema } from "./policy-document.ts";

/** The options of {@link parsePolicy}. */
export interface ParsePolicyOptions {
  /** Called once for each id in the document that lacks its domain. */
  readonly onShortId?: (given: string, id: string) => void;
}

/**
 * Reads a policy. The value is copied; the returned policy is frozen, and names rules by their full ids.
 *
 * @param value A parsed JSON document of at most 1 MiB and 256 levels.
 * @param rules The rules that the document can name.
 * @throws {@link PolicyError} With the code and the place of the first error.
 * @example
 * ```ts
 * import { DRIFT_CATALOG } from "@agentprint/mcp-lock";
 * import { parsePolicy } from "@agentprint/policy";
 *
 * const policy = parsePolicy({ preset: "compatible", rules: { "mcp/item-added": "error" } }, DRIFT_CATALOG);
 * console.log(policy.rules); // { "mcp/item-added": { check: "error" } }
 * ```
 */
export function parsePolicy(value: unknown, rules: RuleCatalog, options: ParsePolicyOptions = {}): Policy {
  const root = copyOf(value);
  refuseUnsupportedNames(root);
  const result = PolicySchema.safeParse(root);
  if (!result.success) throw policyErrorOf(result.error.issues[0] as z.core.$ZodIssue, root);
  parseSettings(root);
  const ids = new FullIds(rules, options.onShortId);
  const { preset = "strict", failOn, rules: given, ignores = [], results, servers = {}, statements } = result.data;
  return deepFreeze({
    preset,
    ...(failOn && { failOn }),
    rules: ids.ofDecisions(given, ["rules"]),
    ignores: ignores.map((ignore, index) => ids.ofIgnore(ignore, ["ignores", index, "rule"])),
    ...(results?.screen && results.screen !== "off" && { results: { screen: results.screen } }),
    servers: mapMembers(servers, (server, name) => serverPolicy(server, ["servers", name], ids)),
    ...(statements && { statements: mapMembers(statements, statementRule) }),
  });
}

function serverPolicy(
  { preset, failOn, rules, calls = {}, results }: DocumentServer,
  path: readonly PathSegment[],
  ids: FullIds,
): ServerPolicy {
  return {
    ...(preset && { preset }),
    ...(failOn && { failOn }),
    rules: ids.ofDecisions(rules, [...path, "rules"]),
    calls: mapMembers(calls, (call, tool) => callRule(call, [...path, "calls", tool])),
    ...(results?.screen && { results: { screen: results.screen } }),
  };
}

function statementRule({ from, keys = [], sigstore, required, accept }: DocumentStatement): StatementRule {
  return {
    ...(from !== undefined && { from }),
    keys: [...new Set(keys)].sort(compareCodeUnits),
    ...(sigstore && { sigstore }),
    ...(required && { required }),
    ...(accept && { accept }),
  };
}

function callRule(call: DocumentCall, path: readonly PathSegment[]): CallRule {
  const { deny, ask, maxPerMinute } = call;
  const schema = call.arguments as JsonObject | undefined;
  if (schema) checkArguments(schema, [...path, "arguments"]);
  return {
    ...(deny && { deny }),
    ...(ask && { ask }),
    ...(maxPerMinute !== undefined && { maxPerMinute }),
    ...(schema && { arguments: schema }),
  };
}

/** Returns a copy with own members only. */
function copyOf(value: unknown): JsonValue {
  try {
    const bytes = canonicalizeToBytes(value, { maxDepth: MAX_POLICY_DEPTH });
    if (bytes.length <= MAX_POLICY_BYTES) return parseJson(bytes);
    throw new PolicyError("not-json", "", `received ${bytes.length} bytes`, `at most ${MAX_POLICY_BYTES} bytes`);
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw new PolicyError("not-json", error.path, error.message, "JSON", { cause: error });
  }
}

/** zod drops members with this name, which would silently lose a decision. */
const UNSUPPORTED = "__proto__";

function refuseUnsupportedNames(root: JsonValue): void {
  const visit = (value: JsonValue | undefined, path: readonly string[], below: Names): void => {
    if (value === undefined || !isJsonObject(value)) return;
    if (Object.hasOwn(value, UNSUPPORTED)) {
      throw new PolicyError("unsupported-name", toPointer([...path, UNSUPPORTED]), "unsupported name", "another name");
    }
    for (const [pattern, names] of Object.entries(below)) {
      for (const name of pattern === "*" ? Object.keys(value) : [pattern])
        visit(ownMember(value, name), [...path, name], names);
    }
  };
  visit(root, [], {
    rules: {},
    results: {},
    statements: { "*": {} },
    servers: { "*": { rules: {}, results: {}, calls: { "*": { arguments: {} } } } },
  });
}

/** The members whose names the policy's author chooses; `*` stands for any such name. */
interface Names {
  readonly [name: string]: Names;
}
