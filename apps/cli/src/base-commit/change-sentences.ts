import { count, type Finding } from "@agentprint/findings";
import type { PolicyJudgement } from "./judge-policy.ts";
import type { Base } from "./read-base.ts";

/** Returns sentences about a change against its base: which commit judges it, and counts of what it approves, removes, adds and weakens. */
export function changeSentences(
  { commit }: Base,
  notes: readonly Finding[],
  { weakened, strengthened }: Pick<PolicyJudgement, "weakened" | "strengthened">,
): string[] {
  const removed = notes.filter(({ rule }) => rule === "lock/server-removed");
  const added = notes.filter(({ rule }) => rule === "lock/server-added");
  const approved = notes.filter((note) => !removed.includes(note) && !added.includes(note));
  const parts = [
    removed.length > 0 ? `removes ${count(removed.length, "server")} from the lock` : "",
    added.length > 0 ? `adds ${count(added.length, "server")} to the lock` : "",
    approved.length > 0 ? `approves ${count(approved.length, "finding")} (${byRule(approved)})` : "",
    weakened.length > 0 ? `weakens the policy in ${count(weakened.length, "place")} (${byRule(weakened)})` : "",
    strengthened.length > 0 ? `strengthens the policy in ${count(strengthened.length, "place")}` : "",
  ].filter((part) => part !== "");
  return [
    `Judged by the base ${commit.id}`,
    `This change ${parts.join(", ") || "approves, removes, adds and weakens nothing"}`,
  ];
}

function byRule(findings: readonly Finding[]): string {
  const counts = new Map<string, number>();
  for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts].map(([rule, times]) => `${rule} ${times}`).join(", ");
}
