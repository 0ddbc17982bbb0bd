import { ownMember } from "@agentprint/canonical-json/json-value";
import type { Level } from "@agentprint/findings";
import { checkArgument, POLICY } from "../check-argument.ts";
import type { CheckDecision, Decisions, GuardDecision } from "./decisions.ts";
import type { PolicyFinding } from "./finding.ts";
import type { Policy, RuleDecisions, ServerPolicy } from "./policy.ts";
import { WEAKENED } from "./policy-rules.ts";
import { PRESETS, type PresetName } from "./presets.ts";

/** A decision, and the part of the policy that made it. */
export interface Sourced<Decision> {
  readonly decision: Decision;
  /** The segments of a JSON Pointer to that part of the policy; none if no policy decides. */
  readonly source: readonly string[];
  /** The preset that made the decision, whether or not it names the rule. */
  readonly preset?: PresetName;
}

/** The members of a finding on which decisions depend. */
export type DecidedFinding = Pick<PolicyFinding, "rule" | "level" | "isRemark" | "couldNotTell"> & {
  readonly place: { readonly server?: string };
};

/**
 * Returns whether no policy can decide about a finding because its subject could not be read or it reports a weaker
 * policy.
 */
export function isFixed({ rule, couldNotTell }: Pick<PolicyFinding, "rule" | "couldNotTell">): boolean {
  return couldNotTell === true || rule === WEAKENED;
}

/**
 * Returns a policy's two decisions about a finding. The most specific one wins: the server's rules, the server's
 * preset, the policy's rules, the policy's preset, and finally the finding's level. Ignores are not considered, because
 * they only remove findings from a check; a guard decides as if they were absent.
 *
 * A finding about an unreadable subject or a weaker policy keeps its level, and a guard blocks on it.
 *
 * @example
 * ```ts
 * import { DRIFT_CATALOG } from "@agentprint/mcp-lock";
 * import { decide, parsePolicy } from "@agentprint/policy";
 *
 * const policy = parsePolicy({ preset: "compatible" }, DRIFT_CATALOG);
 * const finding = { rule: "mcp/tool-prose-changed", level: "error", place: { subject: "files › read" } } as const;
 * console.log(decide(finding, policy)); // { check: "warning", guard: "freeze" }
 * ```
 */
export function decide(finding: PolicyFinding, policy: Policy): Decisions {
  checkArgument("finding", finding, { rule: "string" });
  checkArgument("policy", policy, POLICY);
  return { check: decideCheck(finding, policy).decision, guard: decideGuard(finding, policy).decision };
}

/** Returns a check's decision about a finding, and the part of the policy from which it comes. */
export function decideCheck(finding: DecidedFinding, policy: Policy): Sourced<CheckDecision> {
  if (isFixed(finding)) return { decision: finding.level, source: [] };
  return search(finding, policy, "check") ?? byPreset(finding.level, finding.place.server, policy);
}

/** Returns a guard's decision about a finding, and the part of the policy from which it comes. */
export function decideGuard(finding: DecidedFinding, policy: Policy): Sourced<GuardDecision> {
  if (isFixed(finding)) return { decision: "block", source: [] };
  const otherwise = finding.isRemark ? "pass" : "block";
  return search(finding, policy, "guard") ?? byPreset(otherwise, finding.place.server, policy);
}

/**
 * Returns the lowest level at which a server's findings count, and the part of the policy that sets it.
 *
 * @param onlyErrors Whether only errors count if the policy names no level, whatever the preset is.
 */
export function failOnOf(server: string | undefined, policy: Policy, onlyErrors: boolean): Sourced<Level> {
  const own = serverPolicyOf(server, policy);
  if (own?.failOn !== undefined) return { decision: own.failOn, source: ["servers", server as string, "failOn"] };
  if (own?.preset === undefined && policy.failOn !== undefined) return { decision: policy.failOn, source: ["failOn"] };
  const preset = own?.preset ?? policy.preset;
  return byPreset(onlyErrors ? "error" : PRESETS[preset].failOn, server, policy);
}

function search<Kind extends "check" | "guard">(
  { rule, place: { server } }: DecidedFinding,
  policy: Policy,
  kind: Kind,
): Sourced<Decisions[Kind]> | undefined {
  const own = serverPolicyOf(server, policy);
  const named = decisionOf(own?.rules, rule, kind);
  if (named) return { decision: named, source: ["servers", server as string, "rules", rule] };
  const general = own?.preset === undefined ? decisionOf(policy.rules, rule, kind) : undefined;
  if (general) return { decision: general, source: ["rules", rule] };
  const decision = decisionOf(PRESETS[own?.preset ?? policy.preset].rules, rule, kind);
  return decision && byPreset(decision, server, policy);
}

function decisionOf<Kind extends "check" | "guard">(
  rules: RuleDecisions = {},
  rule: string,
  kind: Kind,
): Decisions[Kind] | undefined {
  return ownMember(rules, rule)?.[kind] as Decisions[Kind] | undefined;
}

function byPreset<Decision>(decision: Decision, server: string | undefined, policy: Policy): Sourced<Decision> {
  const preset = serverPolicyOf(server, policy)?.preset;
  if (preset === undefined) return { decision, source: ["preset"], preset: policy.preset };
  return { decision, source: ["servers", server as string, "preset"], preset };
}

function serverPolicyOf(server: string | undefined, { servers }: Policy): ServerPolicy | undefined {
  return server === undefined ? undefined : ownMember(servers, server);
}
