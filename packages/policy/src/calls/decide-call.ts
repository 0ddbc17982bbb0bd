import { type JsonObject, type JsonValue, ownMember } from "@agentprint/canonical-json";
import { acceptsValue, type RejectedPlace, SchemaDiffError } from "@agentprint/schema-diff";
import type { Policy } from "../apply/policy.ts";
import { replaceKeywords } from "./replace-keywords.ts";

/** A call of a tool. */
export interface Call {
  /** The name of the server in the lock. */
  readonly server: string;
  readonly tool: string;
  /** What the tool is called with; by default an empty object. */
  readonly arguments?: JsonObject | undefined;
}

/** What a policy says to a call. `places` are the places for which its `arguments` schema rejects the call. */
export type CallVerdict =
  | { readonly decision: "pass" }
  | { readonly decision: "ask"; readonly reason: string }
  | { readonly decision: "deny"; readonly reason: string; readonly places?: readonly RejectedPlace[] };

/**
 * Says whether a policy lets a call through. A call about which nothing can be told is denied. `maxPerMinute` is not
 * judged: the caller counts.
 *
 * @example
 * ```ts
 * import { judgeCall, parsePolicy } from "@agentprint/policy";
 *
 * const schema = { type: "object", properties: { path: { type: "string", "path-within": "/srv/data" } } };
 * const servers = { files: { calls: { read: { arguments: schema }, remove: { deny: true } } } };
 * const policy = parsePolicy({ servers }, { find: () => undefined });
 * const judge = (path: string) => judgeCall(policy, { server: "files", tool: "read", arguments: { path } }).decision;
 * console.log(judge("/srv/data/a.txt"), judge("/srv/data/../secret"), judge("/srv/data/%2e%2e/secret")); // pass deny deny
 * ```
 */
export function judgeCall(policy: Policy, { server, tool, arguments: given = {} }: Call): CallVerdict {
  const rule = ownMember(ownMember(policy.servers, server)?.calls ?? {}, tool);
  if (rule?.deny) return { decision: "deny", reason: "the policy denies calls of this tool" };
  const denied = rule?.arguments && judgeArguments(rule.arguments, given);
  if (denied) return denied;
  return rule?.ask ? { decision: "ask", reason: "the policy asks before calls of this tool" } : { decision: "pass" };
}

/**
 * In place of a keyword stands the list of those strings of the call that it allows: for this call the schema then accepts
 * exactly what it accepts with the keyword, wherever the keyword stands.
 */
function judgeArguments(schema: JsonObject, given: JsonObject): CallVerdict | undefined {
  const strings = stringsOf(given);
  const forThisCall = replaceKeywords(schema, ({ allows }, allowed) => {
    const passing = strings.filter((text) => allows(text, allowed));
    return [passing.length === 0 ? { not: {} } : { enum: passing }];
  });
  try {
    const judged = acceptsValue(forThisCall, given);
    if (judged.verdict === "accepts") return undefined;
    if (judged.verdict === "rejects") {
      return { decision: "deny", reason: "the policy does not allow these arguments", places: judged.places };
    }
    const why = judged.notes.map(({ message }) => message).join("; ");
    return { decision: "deny", reason: `could not tell whether the policy allows these arguments: ${why}` };
  } catch (error) {
    if (!(error instanceof SchemaDiffError)) throw error;
    return { decision: "deny", reason: `could not tell whether the policy allows these arguments: ${error.message}` };
  }
}

/** Every string of a value, once. */
function stringsOf(value: JsonValue): string[] {
  const found = new Set<JsonValue>([value]);
  // A set that grows while it is read ends with a value that holds itself, too.
  for (const next of found)
    if (typeof next === "object" && next !== null) for (const member of Object.values(next)) found.add(member);
  return [...found].filter((next) => typeof next === "string");
}
