import type { Finding } from "@agentprint/findings";
import type { Policy } from "../apply/policy.ts";
import { POLICY_RULES, STRENGTHENED, WEAKENED } from "../apply/policy-rules.ts";
import { checkArgument, POLICY } from "../check-argument.ts";
import { weakenedCalls } from "./weakened-calls.ts";
import { weakenedDecisions } from "./weakened-decisions.ts";
import { weakenedIgnores } from "./weakened-ignores.ts";
import { weakenedResults } from "./weakened-results.ts";
import { weakenedStatements } from "./weakened-statements.ts";
import type { Weakening } from "./weakening.ts";

/**
 * Returns the ways in which a policy is more permissive than another; none if every finding and every call has the same
 * decision or a stricter one. Anything that is not proven to be as strict counts as weaker.
 *
 * @example
 * ```ts
 * import { DRIFT_CATALOG } from "@agentprint/mcp-lock";
 * import { parsePolicy, weakenings } from "@agentprint/policy";
 *
 * const [before, after] = [{}, { failOn: "error" }].map((document) => parsePolicy(document, DRIFT_CATALOG));
 * for (const { pointer, what } of before && after ? weakenings(before, after) : []) console.log(pointer, what);
 * // /failOn findings count from error instead of warning
 * ```
 */
export function weakenings(before: Policy, after: Policy): Weakening[] {
  checkArgument("before", before, POLICY);
  checkArgument("after", after, POLICY);
  return [
    ...weakenedDecisions(before, after),
    ...weakenedIgnores(before, after),
    ...weakenedCalls(before, after),
    ...weakenedResults(before, after),
    ...weakenedStatements(before, after),
  ];
}

/**
 * Returns a check's findings about the ways in which a policy is weaker than the accepted one. No policy can ignore
 * these findings.
 *
 * @param subject The policy's name for readers, for example its file name.
 * @example
 * ```ts
 * import { policyFindings } from "@agentprint/policy";
 *
 * const [finding] = policyFindings("agentprint.config.json", [{ pointer: "/preset", what: "a check decides less strictly about mcp/a" }]);
 * console.log(finding?.rule, finding?.place.pointer); // policy/weakened /preset
 * ```
 */
export function policyFindings(subject: string, found: readonly Weakening[]): Finding<typeof WEAKENED>[] {
  checkArgument("subject", subject, "string");
  checkArgument("found", found, ["object"]);
  const { level } = POLICY_RULES[WEAKENED];
  return found.map(({ pointer, what, ...values }) => ({
    rule: WEAKENED,
    level,
    place: { subject, pointer },
    ...values,
    message: `the policy is weaker: ${what}`,
  }));
}

/**
 * Returns a check's notes about the ways in which a policy is stricter than the accepted one.
 *
 * @param subject The accepted policy's name for readers; the notes' places are in that policy.
 * @param found How the accepted policy is weaker, from `weakenings(policy, accepted)`.
 * @example
 * ```ts
 * import { strengthenedFindings } from "@agentprint/policy";
 *
 * const [note] = strengthenedFindings("agentprint.lock", [{ pointer: "/failOn", what: "findings count from error instead of warning" }]);
 * console.log(note?.message); // the policy is stricter than the accepted one, in which findings count from error instead of warning
 * ```
 */
export function strengthenedFindings(subject: string, found: readonly Weakening[]): Finding<typeof STRENGTHENED>[] {
  checkArgument("subject", subject, "string");
  checkArgument("found", found, ["object"]);
  const { level } = POLICY_RULES[STRENGTHENED];
  return found.map(({ pointer, what, before, after }) => ({
    rule: STRENGTHENED,
    level,
    place: { subject, pointer },
    ...(after !== undefined && { before: after }),
    ...(before !== undefined && { after: before }),
    message: `the policy is stricter than the accepted one, in which ${what}`,
    isRemark: true,
  }));
}
