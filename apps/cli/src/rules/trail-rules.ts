import type { Finding } from "@agentprint/report";
import type { ProblemKind } from "@agentprint/trail/chain";
import type { StoreProblemKind } from "@agentprint/trail-store";
import type { EventProblemKind } from "../trail/event-problems.ts";
import type { ExplainedRule, RuleExample } from "./explained-rule.ts";

type TrailProblemKind = ProblemKind | StoreProblemKind | EventProblemKind | "uncovered-members";
type TrailRuleId = `trail/${TrailProblemKind}`;

/** The meaning of each finding about a chain or a store, and its remedy. */
export const TRAIL_RULES: Readonly<Record<TrailRuleId, ExplainedRule>> = {
  "trail/altered": rule(
    "A covered field is not what was hashed.",
    "Restore the record from an export or a backup.",
    "Somebody changed what the agent thought after it was recorded.",
    { text: "A thought was rewritten.", before: "Ask the user first", after: "The user agreed" },
  ),
  "trail/broken-link": rule(
    "The record before is missing, moved or rewritten.",
    "Compare the chain with an export or a backup.",
    "Each record names the hash of the one before, so that a gap cannot be hidden.",
    {
      text: "The third of five records was taken out.",
      before: ["1", "2", "3", "4", "5"],
      after: ["1", "2", "4", "5"],
    },
  ),
  "trail/missing-genesis": rule(
    "The beginning of the chain was cut off.",
    "Verify the chain from its first record.",
    "Without its beginning nobody knows what the chain was about.",
    { text: "The first record was taken out.", before: ["1", "2", "3"], after: ["2", "3"] },
  ),
  "trail/second-genesis": rule(
    "A later record claims to be the first.",
    "Keep one chain for each task.",
    "A chain with two beginnings is two chains under one name.",
    { text: "A program began again instead of going on.", before: ["1", "2"], after: ["1", "2", "1"] },
  ),
  "trail/fork": rule(
    "Two records follow the same record.",
    "Let one writer append at a time, or use a store.",
    "Two stories that both follow the same record cannot both have happened.",
    { text: "Two writers appended at the same time.", before: ["1", "2"], after: ["1", "2", "2"] },
  ),
  "trail/duplicate": rule(
    "An id is used twice.",
    "Take the copy out.",
    "An id that is used twice does not say which record is meant.",
    { text: "A record was imported twice.", before: ["1", "2"], after: ["1", "2", "2"] },
  ),
  "trail/foreign-task": rule(
    "A record belongs to another task.",
    "Verify each task by itself.",
    "A record of another task proves nothing about this one.",
    { text: "Two exports were put into one file.", before: ["a", "a"], after: ["a", "a", "b"] },
  ),
  "trail/malformed": rule(
    "A value is not a record.",
    "Correct the text at the place that the finding names.",
    "What is no record can be anything.",
    { text: "A line was cut off in the middle.", after: '{"id": 3, "thou' },
  ),
  "trail/truncated": rule(
    "The end of the chain was cut off.",
    "Find the records that the checkpoint covers.",
    "What is behind the end is what somebody does not want to be read.",
    { text: "A checkpoint covers five records, and three are there.", before: 5, after: 3 },
  ),
  "trail/rewritten": rule(
    "The records are not those that a checkpoint covers.",
    "Find the chain that was signed.",
    "All hashes fit together, but not with what was signed: the whole chain was made anew.",
    { text: "A chain was written again from its second record on." },
  ),
  "trail/changed-guard": rule(
    "A trigger or constraint of the store is not the one that the store created.",
    "Find out who changed the database.",
    "The store keeps records from being changed by a trigger; without it a program can rewrite them.",
    { text: "The trigger that refuses updates is gone." },
  ),
  "trail/unreached-rows": rule(
    "Rows of the store belong to no chain.",
    "Find out who inserted the rows: no append of the store does.",
    "Rows outside of every chain were written past the store.",
    { text: "A program inserted a row by itself." },
  ),
  "trail/misplaced-record": rule(
    "A record is not stored behind the record before it.",
    "Find out who inserted the record.",
    "The order of storing tells when a record was written.",
    { text: "A record was inserted between two older ones." },
  ),
  "trail/invalid-checkpoint": rule(
    "A stored note is no checkpoint, or a forged one.",
    "Find out who inserted the note.",
    "A forged signature shows that somebody wanted it to be believed.",
    { text: "One character of a note was changed." },
  ),
  "trail/untrusted-checkpoints": rule(
    "No stored checkpoint of the task is trusted.",
    "Give the key, the origin and the witnesses that signed.",
    "A signature of a key that nobody trusts proves nothing.",
    { text: "The store was signed with a key that was not given." },
  ),
  "trail/missing-events": rule(
    "Events of a session are missing.",
    "Find the chain that a checkpoint covers.",
    "Events have numbers; the chain was made anew without some of them.",
    { text: "A call was taken out, and all hashes behind it were computed again.", before: [0, 1, 2], after: [0, 2] },
  ),
  "trail/wrong-seal": rule(
    "An event was altered or moved, or a text was made to look like one.",
    "Find out who wrote the record.",
    "The event names the key of the recorder, and that key did not seal it in this record.",
    { text: "The name of the tool was changed.", before: "delete_file", after: "read_file" },
  ),
  "trail/uncovered-members": {
    ...rule(
      "A record has members beside its eight fields, and no hash covers them.",
      "Rely on the eight fields alone; `agentprint trail import` leaves the others out.",
      "The chain is whole whatever stands in such a member: anybody who can write the file can add, alter or remove it.",
      { text: "A note was added to a line.", after: { note: "approved by the user" } },
    ),
    level: "note",
  },
};

function rule(summary: string, help: string, why: string, example: RuleExample): ExplainedRule {
  return { level: "error", summary, help, why, example };
}

/** The members of a finding that follow from the kind of the problem. */
export function trailRule(kind: TrailProblemKind): Pick<Finding, "rule" | "level"> {
  const id = `trail/${kind}` as const;
  return { rule: id, level: TRAIL_RULES[id].level };
}
