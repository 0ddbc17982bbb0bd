import { type ByRule, findingKinds, type Rules } from "@agentprint/findings";
import { CHAIN_RULES, type ChainRuleId } from "@agentprint/trail/rules";
import type { EventProblemKind } from "./event-problems.ts";
import { STORE_RULES } from "./store-rules.ts";

/** The meaning of each finding about the events in a chain, and its remedy. */
const EVENT_RULES: Rules<`trail/${EventProblemKind}`> = {
  "trail/missing-events": {
    level: "error",
    summary: "Events of a session are missing.",
    help: "Find the chain that a checkpoint covers.",
    why: "Events are numbered without gaps. Somebody left some out and computed the chain again.",
    example: {
      text: "A call was taken out, and all hashes behind it were computed again.",
      before: [0, 1, 2],
      after: [0, 2],
    },
  },
  "trail/wrong-seal": {
    level: "error",
    summary: "An event was altered or moved, or a text was made to look like one.",
    help: "Find out who wrote the record.",
    why: "The event names the key of the recorder, and that key did not seal it in this record.",
    example: { text: "The name of the tool was changed.", before: "delete_file", after: "read_file" },
  },
};

const { "trail/uncovered-members": uncovered, ...chain } = CHAIN_RULES;

type TrailRuleId = ChainRuleId | keyof typeof STORE_RULES | keyof typeof EVENT_RULES;

/** The rules of what a verification finds in a chain, its store and its events. */
export const TRAIL_RULES: Rules<TrailRuleId> = {
  ...chain,
  ...STORE_RULES,
  ...EVENT_RULES,
  "trail/uncovered-members": uncovered,
};

/** Makes a finding of a rule of {@link TRAIL_RULES}, without its place. */
export const byTrailRule: ByRule<TrailRuleId> = findingKinds(TRAIL_RULES);
