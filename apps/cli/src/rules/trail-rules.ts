import type { Finding, Rule } from "@agentprint/report";
import type { ProblemKind } from "@agentprint/trail/chain";
import type { StoreProblemKind } from "@agentprint/trail-store";

type TrailRuleId = `trail/${ProblemKind | StoreProblemKind}`;

/** What each finding about a chain or a store means and what to do about it. */
export const TRAIL_RULES: Readonly<Record<TrailRuleId, Rule>> = {
  "trail/altered": rule("A covered field is not what was hashed.", "Restore the record from an export or a backup."),
  "trail/broken-link": rule(
    "The record before is missing, moved or rewritten.",
    "Compare the chain with an export or a backup.",
  ),
  "trail/missing-genesis": rule("The beginning of the chain was cut off.", "Verify the chain from its first record."),
  "trail/second-genesis": rule("A later record claims to be the first.", "Keep one chain for each task."),
  "trail/fork": rule("Two records follow the same record.", "Let one writer append at a time, or use a store."),
  "trail/duplicate": rule("An id is used twice.", "Take the copy out."),
  "trail/foreign-task": rule("A record belongs to another task.", "Verify each task by itself."),
  "trail/malformed": rule("A value is not a record.", "Correct the text at the place that the finding names."),
  "trail/truncated": rule("The end of the chain was cut off.", "Find the records that the checkpoint covers."),
  "trail/rewritten": rule("The records are not those that a checkpoint covers.", "Find the chain that was signed."),
  "trail/changed-guard": rule(
    "A trigger or constraint of the store is not the one that the store created.",
    "Find out who changed the database.",
  ),
  "trail/unreached-rows": rule(
    "Rows of the store belong to no chain.",
    "Find out who inserted the rows: no append of the store does.",
  ),
  "trail/misplaced-record": rule(
    "A record is not stored behind the record before it.",
    "Find out who inserted the record.",
  ),
  "trail/invalid-checkpoint": rule(
    "A stored note is no checkpoint, or a forged one.",
    "Find out who inserted the note.",
  ),
  "trail/untrusted-checkpoints": rule(
    "No stored checkpoint of the task is trusted.",
    "Give the key, the origin and the witnesses that signed.",
  ),
};

function rule(summary: string, help: string): Rule {
  return { level: "error", summary, help };
}

/** The members of a finding that follow from the kind of the problem. */
export function trailRule(kind: ProblemKind | StoreProblemKind): Pick<Finding, "rule" | "level"> {
  const id = `trail/${kind}` as const;
  return { rule: id, level: TRAIL_RULES[id].level };
}
