import { ownMember } from "@agentprint/canonical-json/json-value";
import type { Policy } from "./policy.ts";

/** What a guard does with messages of a server that hold terminal escapes or characters that nobody sees, from the lowest to the highest. */
export const SCREENINGS: readonly ["off", "warn", "withhold"] = /* @__PURE__ */ Object.freeze([
  "off",
  "warn",
  "withhold",
] as const);

/**
 * - `off`: they are not looked for.
 * - `warn`: the message goes on, and the guard tells of it.
 * - `withhold`: the message is refused.
 */
export type Screening = (typeof SCREENINGS)[number];

/**
 * How a policy has the messages of a server screened.
 *
 * @example
 * ```ts
 * import { parsePolicy, screeningOf } from "@agentprint/policy";
 *
 * const servers = { notes: { results: { screen: "withhold" } } };
 * const policy = parsePolicy({ results: { screen: "warn" }, servers }, { find: () => undefined });
 * console.log(screeningOf(policy, "files"), screeningOf(policy, "notes")); // warn withhold
 * ```
 */
export function screeningOf(policy: Policy, server: string): Screening {
  return ownMember(policy.servers, server)?.results?.screen ?? policy.results?.screen ?? "off";
}
