import { locateJson } from "@agentprint/canonical-json";
import type { Finding } from "@agentprint/findings";
import { type Policy, policyFindings, strengthenedFindings, type Weakening, weakenings } from "@agentprint/policy";
import type { AcceptedPolicy } from "./accepted-policy.ts";

/** A policy that is compared with the accepted one: a configuration's or a lock's. */
export interface ComparedPolicy {
  readonly policy: Policy;
  /** The file with the policy. */
  readonly file: string;
  /** The text of the file, if the file is a configuration. */
  readonly text?: Uint8Array;
}

/** Returns the findings for the ways in which a policy allows more than the accepted one. */
export function weakenedBy(
  { policy, file, text }: ComparedPolicy,
  { policy: accepted, name }: AcceptedPolicy,
): Finding[] {
  const found = weakenings(accepted, policy);
  const pointers = found.map(({ pointer }) => pointer);
  const places = text && locateJson(text, pointers);
  return policyFindings(file, found).map((finding, index) => {
    const line = places?.[index]?.line;
    const location = { file, ...(line !== undefined && { line }) };
    return { ...finding, place: { ...finding.place, location }, note: `Compared with the policy of ${name}` };
  });
}

/** Returns the notes for the ways in which a policy is stricter than the accepted one. */
export function strengthenedBy({ policy }: ComparedPolicy, { policy: accepted, name }: AcceptedPolicy): Finding[] {
  return strengthenedFindings(name, weakenings(policy, accepted));
}

/** Returns the finding that a lock no longer holds a policy. */
export function droppedFrom(file: string, { name }: AcceptedPolicy): Finding {
  const dropped: Weakening = { pointer: "/policy", what: "the lock no longer holds the accepted one" };
  const [finding] = policyFindings(file, [dropped]) as [Finding];
  return { ...finding, place: { ...finding.place, location: { file } }, note: `Compared with the policy of ${name}` };
}
