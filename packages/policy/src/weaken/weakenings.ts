import type { JsonValue } from "@agentprint/canonical-json";
import type { Policy } from "../apply/policy.ts";
import { POLICY_RULES, WEAKENED } from "../apply/policy-rules.ts";
import { weakenedCalls } from "./weakened-calls.ts";
import { weakenedDecisions } from "./weakened-decisions.ts";
import { weakenedIgnores } from "./weakened-ignores.ts";
import type { Weakening } from "./weakening.ts";

/**
 * In which ways a policy lets more through than another one; none where every finding and every call gets the same decision
 * or a higher one. What is not proven to be as strict counts as weaker.
 *
 * @example
 * ```ts
 * import { parsePolicy, weakenings } from "@agentprint/policy";
 *
 * const [before, after] = [{}, { failOn: "error" }].map((document) => parsePolicy(document, { find: () => undefined }));
 * for (const { pointer, what } of before && after ? weakenings(before, after) : []) console.log(pointer, what);
 * // /failOn findings count from error instead of warning
 * ```
 */
export function weakenings(before: Policy, after: Policy): Weakening[] {
  return [...weakenedDecisions(before, after), ...weakenedIgnores(before, after), ...weakenedCalls(before, after)];
}

/** A finding that a policy lets more through than the accepted one. */
export interface WeakenedFinding {
  readonly rule: "policy/weakened";
  readonly level: "error";
  readonly place: { readonly subject: string; readonly pointer: string };
  readonly before?: JsonValue;
  readonly after?: JsonValue;
  readonly message: string;
}

/**
 * The findings of a check for the ways in which a policy is weaker than the accepted one. They cannot be ignored.
 *
 * @param subject The name of the policy for readers, for example of its file.
 * @example
 * ```ts
 * import { policyFindings } from "@agentprint/policy";
 *
 * const [finding] = policyFindings("agentprint.config.json", [{ pointer: "/preset", what: "a check decides lower about mcp/a" }]);
 * console.log(finding?.rule, finding?.place.pointer); // policy/weakened /preset
 * ```
 */
export function policyFindings(subject: string, found: readonly Weakening[]): WeakenedFinding[] {
  const { level } = POLICY_RULES[WEAKENED];
  return found.map(({ pointer, what, ...values }) => ({
    rule: WEAKENED,
    level,
    place: { subject, pointer },
    ...values,
    message: `the policy is weaker: ${what}`,
  }));
}
