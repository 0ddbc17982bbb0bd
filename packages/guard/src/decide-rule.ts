import { decide, type GuardDecision, type Policy } from "@agentprint/policy";
import { GUARD_RULES, type GuardRuleId } from "./rules.ts";

/** Returns the decision of a policy by a run-time rule. */
export function decideRule(rule: GuardRuleId, policy: Policy, server: string, tool?: string): GuardDecision {
  const { level, isRemark } = GUARD_RULES[rule];
  const place = { subject: server, server, ...(tool !== undefined && { tool }) };
  return decide({ rule, level, place, ...(isRemark && { isRemark }) }, policy).guard;
}
