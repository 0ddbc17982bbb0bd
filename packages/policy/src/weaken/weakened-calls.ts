import { isSameJson, ownMember, toPointer } from "@agentprint/canonical-json";
import { StepBudget } from "@agentprint/schema-diff";
import type { CallRule, Policy } from "../apply/policy.ts";
import { isProvenWithin } from "../calls/prove-narrower.ts";
import { MAX_PROOF_STEPS } from "../limits.ts";
import { type Weakening, weakening } from "./weakening.ts";

/** Returns the weakenings for calls that are newly allowed. */
export function weakenedCalls(before: Policy, after: Policy): Weakening[] {
  const budget = new StepBudget(MAX_PROOF_STEPS);
  return Object.entries(before.servers).flatMap(([server, { calls }]) =>
    Object.entries(calls).flatMap(([tool, call]) => {
      const now = ownMember(ownMember(after.servers, server)?.calls ?? {}, tool) ?? {};
      return weakenedMembers(call, now, budget).map(([member, what]) =>
        weakening(toPointer(["servers", server, "calls", tool, member]), what, call[member], now[member]),
      );
    }),
  );
}

function weakenedMembers(before: CallRule, after: CallRule, budget: StepBudget): [keyof CallRule, string][] {
  if (after.deny) return [];
  if (before.deny) return [["deny", "calls of the tool are no longer denied"]];
  const found: [keyof CallRule, string][] = [];
  if (before.ask && !after.ask) found.push(["ask", "no one is asked before calls of the tool any more"]);
  if (before.maxPerMinute !== undefined && !((after.maxPerMinute ?? Infinity) <= before.maxPerMinute)) {
    found.push(["maxPerMinute", "more calls of the tool are allowed per minute"]);
  }
  if (before.arguments && !isWithin(after.arguments, before.arguments, budget)) {
    found.push(["arguments", "it is not proven that the arguments of calls stay within what was allowed"]);
  }
  return found;
}

function isWithin(
  inner: CallRule["arguments"],
  outer: NonNullable<CallRule["arguments"]>,
  budget: StepBudget,
): boolean {
  return inner !== undefined && (isSameJson(inner, outer) || isProvenWithin(inner, outer, budget));
}
