import { type JsonObject, type JsonValue, ownMember } from "@agentprint/canonical-json";
import { acceptsValue, type RejectedPlace, SchemaDiffError } from "@agentprint/schema-diff";
import type { Policy } from "../apply/policy.ts";
import { checkArgument, POLICY } from "../check-argument.ts";
import { replaceKeywords } from "./replace-keywords.ts";

/** A tool call. */
export interface Call {
  /** The server's name in the lock. */
  readonly server: string;
  readonly tool: string;
  /** The call's arguments; by default an empty object. */
  readonly arguments?: JsonObject | undefined;
}

/**
 * A policy's decision about a call. `places` are the reasons, with their places, for which its `arguments` schema
 * rejects the call.
 */
export type CallVerdict =
  | { readonly decision: "pass" }
  | { readonly decision: "ask"; readonly reason: string }
  | { readonly decision: "deny"; readonly reason: string; readonly places?: readonly RejectedPlace[] };

/**
 * Decides whether a policy lets a call through. A call whose arguments cannot be evaluated is denied. `maxPerMinute` is
 * not checked, because the caller counts the calls.
 *
 * @example
 * ```ts
 * import { DRIFT_CATALOG } from "@agentprint/mcp-lock";
 * import { decideCall, parsePolicy } from "@agentprint/policy";
 *
 * const schema = { type: "object", properties: { path: { type: "string", "path-within": "/srv/data" } } };
 * const servers = { files: { calls: { read: { arguments: schema }, remove: { deny: true } } } };
 * const policy = parsePolicy({ servers }, DRIFT_CATALOG);
 * const decide = (path: string) => decideCall(policy, { server: "files", tool: "read", arguments: { path } }).decision;
 * console.log(decide("/srv/data/a.txt"), decide("/srv/data/../secret"), decide("/srv/data/%2e%2e/secret")); // pass deny deny
 * ```
 */
export function decideCall(policy: Policy, call: Call): CallVerdict {
  checkArgument("policy", policy, POLICY);
  checkArgument("call", call, { server: "string", tool: "string" });
  const { server, tool, arguments: given = {} } = call;
  const rule = ownMember(ownMember(policy.servers, server)?.calls ?? {}, tool);
  if (rule?.deny) return { decision: "deny", reason: "the policy denies calls of this tool" };
  const denied = rule?.arguments && decideArguments(rule.arguments, given);
  if (denied) return denied;
  return rule?.ask ? { decision: "ask", reason: "the policy asks before calls of this tool" } : { decision: "pass" };
}

/**
 * Judges the arguments by a schema in which a list of the call's strings that a keyword allows replaces each keyword:
 * for this call, that schema accepts the same values, wherever the keywords are. Returns `undefined` if the schema
 * accepts the arguments.
 */
function decideArguments(schema: JsonObject, given: JsonObject): CallVerdict | undefined {
  const strings = stringsOf(given);
  const forThisCall = replaceKeywords(schema, ({ allows }, allowed) => {
    const passing = strings.filter((text) => allows(text, allowed));
    return [passing.length === 0 ? { not: {} } : { enum: passing }];
  });
  try {
    const evaluated = acceptsValue(forThisCall, given);
    if (evaluated.verdict === "accepts") return undefined;
    if (evaluated.verdict === "rejects") {
      return { decision: "deny", reason: "the policy does not allow these arguments", places: evaluated.places };
    }
    const why = evaluated.notes.map(({ message }) => message).join("; ");
    return { decision: "deny", reason: `could not tell whether the policy allows these arguments: ${why}` };
  } catch (error) {
    if (!(error instanceof SchemaDiffError)) throw error;
    return { decision: "deny", reason: `could not tell whether the policy allows these arguments: ${error.message}` };
  }
}

/** Returns each string of a value once. */
function stringsOf(value: JsonValue): string[] {
  const found = new Set<JsonValue>([value]);
  // Iterating over a growing set ends even for a value that contains itself.
  for (const next of found)
    if (typeof next === "object" && next !== null) for (const member of Object.values(next)) found.add(member);
  return [...found].filter((next) => typeof next === "string");
}
