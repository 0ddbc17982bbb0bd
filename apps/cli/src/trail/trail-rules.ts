import { type ByRule, findingKinds, type Rules } from "@agentprint/findings";
import { CHAIN_RULES, type ChainRuleId } from "@agentprint/trail/rules";
import type { StoreProblemKind } from "@agentprint/trail-store";
import type { EventProblemKind } from "./event-problems.ts";

/**
 * The meaning of each finding about a store, and its remedy; defined here, because a command without stores lacks
 * `@agentprint/trail-store`.
 */
const STORE_RULES: Rules<`trail/${StoreProblemKind}`> = {
  "trail/changed-guard": {
    level: "error",
    summary: "A trigger or constraint differs from the one that the store created.",
    help: "Find out who changed the database.",
    why: "A trigger of the store keeps records from being changed; without it, a program can rewrite them.",
    example: { text: "The trigger that refuses updates is gone." },
  },
  "trail/unreached-rows": {
    level: "error",
    summary: "Rows of the store belong to no chain.",
    help: "Find out who inserted the rows: the store never appends such rows.",
    why: "Rows outside of every chain were not written by the store.",
    example: { text: "A program inserted a row directly." },
  },
  "trail/misplaced-record": {
    level: "error",
    summary: "A record is not stored directly after the previous one.",
    help: "Find out who inserted the record.",
    why: "The order in which records are stored shows when each was written.",
    example: { text: "A record was inserted between two older ones." },
  },
  "trail/invalid-checkpoint": {
    level: "error",
    summary: "A stored note is not a checkpoint, or is a forged one.",
    help: "Find out who inserted the note.",
    why: "A forged signature means that someone wanted it to be trusted.",
    example: { text: "One character of a note was changed." },
  },
  "trail/untrusted-checkpoints": {
    level: "error",
    summary: "No stored checkpoint of the task is trusted.",
    help: "Give the key, the origin and the witnesses that signed.",
    why: "A signature by a key that nobody trusts proves nothing.",
    example: { text: "The store was signed with a key that was not given." },
  },
  "trail/dropped-records": {
    level: "error",
    summary: "Records at the beginning or end of a task are gone, and no checkpoint proves them.",
    help: "Find a copy of the records. Drop partitions with `agentprint trail prune`, which signs them first.",
    why: "A partition that was dropped by mistake looks like one that was dropped to hide something.",
    example: { text: "A partition was dropped before it was signed." },
  },
};

/** The meaning of each finding about the events in a chain, and its remedy. */
const EVENT_RULES: Rules<`trail/${EventProblemKind}`> = {
  "trail/missing-events": {
    level: "error",
    summary: "Events of a session are missing.",
    help: "Find the chain that a checkpoint covers.",
    why: "Events are numbered without gaps. Someone left some out and recomputed the chain.",
    example: {
      text: "A call was removed, and all hashes after it were recomputed.",
      before: [0, 1, 2],
      after: [0, 2],
    },
  },
  "trail/wrong-seal": {
    level: "error",
    summary: "An event was altered or moved, or a text was made to look like one.",
    help: "Find out who wrote the record.",
    why: "The event names the recorder's key, but that key did not seal it in this record.",
    example: { text: "The name of the tool was changed.", before: "delete_file", after: "read_file" },
  },
};

const { "trail/uncovered-members": uncovered, ...chain } = CHAIN_RULES;

type TrailRuleId = ChainRuleId | keyof typeof STORE_RULES | keyof typeof EVENT_RULES;

/** The rules for what a verification finds in a chain, its store and its events. */
export const TRAIL_RULES: Rules<TrailRuleId> = {
  ...chain,
  ...STORE_RULES,
  ...EVENT_RULES,
  "trail/uncovered-members": uncovered,
};

/** Makes a finding from a rule of {@link TRAIL_RULES}, without its place. */
export const byTrailRule: ByRule<TrailRuleId> = findingKinds(TRAIL_RULES);
