import { decide, type GuardDecision, type Policy } from "@agentprint/policy";
import { GUARD_RULES, type GuardRuleId } from "./rules.ts";

/** What a policy decides about something that happened at run time. */
export function decideRule(rule: GuardRuleId, policy: Policy, server: string, tool?: string): GuardDecision {
  const { level, isRemark } = GUARD_RULES[rule];
  const place = { subject: server, server, ...(tool !== undefined && { tool }) };
  return decide({ rule, level, place, ...(isRemark && { isRemark }) }, policy).guard;
}
