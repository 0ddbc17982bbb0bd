import { deepFreeze } from "@agentprint/canonical-json/json-value";
import type { Rule, RuleExample, Rules } from "@agentprint/findings";
import type { ProblemKind } from "../chain/problem-log.ts";

/** The id of a rule about chains. */
export type ChainRuleId = `trail/${ProblemKind | "uncovered-members" | "dropped-range"}`;

/** The meaning of each finding about a chain, and its remedy. */
export const CHAIN_RULES: Rules<ChainRuleId> = /* @__PURE__ */ deepFreeze({
  "trail/altered": rule(
    "A covered field differs from the hashed value.",
    "Restore the record from an export or a backup.",
    "Someone changed what the agent thought after it was recorded.",
    { text: "A thought was rewritten.", before: "Ask the user first", after: "The user agreed" },
  ),
  "trail/broken-link": rule(
    "The previous record is missing, moved or rewritten.",
    "Compare the chain with an export or a backup.",
    "Each record names the previous one's hash, so a gap cannot be hidden.",
    {
      text: "The third of five records was removed.",
      before: ["1", "2", "3", "4", "5"],
      after: ["1", "2", "4", "5"],
    },
  ),
  "trail/missing-genesis": rule(
    "The beginning of the chain was cut off.",
    "Verify the chain from its first record.",
    "Without its beginning, it is unknown what the chain was about.",
    { text: "The first record was removed.", before: ["1", "2", "3"], after: ["2", "3"] },
  ),
  "trail/second-genesis": rule(
    "A later record claims to be the first.",
    "Keep one chain for each task.",
    "A chain with two beginnings is two chains under one name.",
    { text: "A program started over instead of continuing.", before: ["1", "2"], after: ["1", "2", "1"] },
  ),
  "trail/fork": rule(
    "Two records follow the same record.",
    "Let one writer append at a time, or use a store.",
    "Two continuations of the same record cannot both have happened.",
    { text: "Two writers appended at the same time.", before: ["1", "2"], after: ["1", "2", "2"] },
  ),
  "trail/duplicate": rule(
    "An id is used twice.",
    "Remove the copy.",
    "An id that is used twice does not identify a record.",
    { text: "A record was imported twice.", before: ["1", "2"], after: ["1", "2", "2"] },
  ),
  "trail/foreign-task": rule(
    "A record belongs to another task.",
    "Verify each task separately.",
    "A record from another task proves nothing about this one.",
    { text: "Two exports were put into one file.", before: ["a", "a"], after: ["a", "a", "b"] },
  ),
  "trail/malformed": rule(
    "A value is not a record.",
    "Correct the text at the place of the finding.",
    "A line that is not a record can be anything.",
    { text: "A line was cut off in the middle.", after: '{"id": 3, "thou' },
  ),
  "trail/truncated": rule(
    "The end of the chain was cut off.",
    "Find the records that the checkpoint covers.",
    "The missing end is the part that someone wants to hide.",
    { text: "A checkpoint covers five records, but only three are there.", before: 5, after: 3 },
  ),
  "trail/rewritten": rule(
    "The records differ from those that a checkpoint covers.",
    "Find the chain that was signed.",
    "All hashes fit together but do not match what was signed, so the complete chain was rebuilt.",
    { text: "A chain was rewritten from its second record on." },
  ),
  "trail/dropped-range": {
    ...rule(
      "The first records were dropped, and a checkpoint proves them by their root.",
      "Keep the checkpoint: a copy of the records that turns up later can be compared with it.",
      "A trail that is kept for a limited time stays one chain: the remaining records follow the last dropped one.",
      { text: "The records of last year were dropped after they were signed.", before: ["1", "2", "3"], after: ["3"] },
    ),
    level: "note",
  },
  "trail/uncovered-members": {
    ...rule(
      "A record has members other than its eight fields, and no hash covers them.",
      "Rely only on the eight fields; `agentprint trail import` omits the others.",
      "The chain is intact whatever such a member contains: anyone who can write the file can add, alter or remove it.",
      { text: "A note was added to a line.", after: { note: "approved by the user" } },
    ),
    level: "note",
  },
});

function rule(summary: string, help: string, why: string, example: RuleExample): Rule {
  return { level: "error", summary, help, why, example };
}
