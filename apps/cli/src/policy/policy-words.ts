import { isJsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import { count } from "@agentprint/findings";
import type { LockedPolicy } from "@agentprint/mcp-lock/lock";

/**
 * Returns a line about an accepted policy: `preset compatible, 2 rules, 1 ignore, own decisions for files; digest …`.
 *
 * @param policy The accepted policy; `undefined` if the lock holds none
 */
export function acceptedInWords(policy: LockedPolicy | undefined): string {
  if (policy === undefined) return "none accepted";
  const { preset = "strict", failOn, rules = {}, ignores = [], servers = {} } = policy.policy;
  const numbers = [
    [sizeOf(rules), "rule"],
    [sizeOf(ignores), "ignore"],
  ] as const;
  const words = [
    `preset ${preset}`,
    ...(failOn === undefined ? [] : [`fails on ${failOn}`]),
    ...numbers.flatMap(([number, noun]) => (number === 0 ? [] : [count(number, noun)])),
    ...(sizeOf(servers) === 0 ? [] : [`own decisions for ${Object.keys(servers as object).join(", ")}`]),
  ];
  return `${words.join(", ")}; digest ${policy.digest}`;
}

function sizeOf(value: JsonValue): number {
  return Array.isArray(value) ? value.length : isJsonObject(value) ? Object.keys(value).length : 0;
}
