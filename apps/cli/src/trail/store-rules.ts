import type { Rules } from "@agentprint/findings";
import type { StoreProblemKind } from "@agentprint/trail-store";

/** The meaning of each finding about a store, and its remedy; here, because a command without stores lacks `@agentprint/trail-store`. */
export const STORE_RULES: Rules<`trail/${StoreProblemKind}`> = {
  "trail/changed-guard": {
    level: "error",
    summary: "A trigger or constraint of the store is not the one that the store created.",
    help: "Find out who changed the database.",
    why: "The store keeps records from being changed by a trigger; without it a program can rewrite them.",
    example: { text: "The trigger that refuses updates is gone." },
  },
  "trail/unreached-rows": {
    level: "error",
    summary: "Rows of the store belong to no chain.",
    help: "Find out who inserted the rows: no append of the store does.",
    why: "Rows outside of every chain were written past the store.",
    example: { text: "A program inserted a row by itself." },
  },
  "trail/misplaced-record": {
    level: "error",
    summary: "A record is not stored behind the record before it.",
    help: "Find out who inserted the record.",
    why: "The order of storing tells when a record was written.",
    example: { text: "A record was inserted between two older ones." },
  },
  "trail/invalid-checkpoint": {
    level: "error",
    summary: "A stored note is no checkpoint, or a forged one.",
    help: "Find out who inserted the note.",
    why: "A forged signature shows that somebody wanted it to be believed.",
    example: { text: "One character of a note was changed." },
  },
  "trail/untrusted-checkpoints": {
    level: "error",
    summary: "No stored checkpoint of the task is trusted.",
    help: "Give the key, the origin and the witnesses that signed.",
    why: "A signature of a key that nobody trusts proves nothing.",
    example: { text: "The store was signed with a key that was not given." },
  },
  "trail/dropped-records": {
    level: "error",
    summary: "Records at an end of a task are gone, and no checkpoint proves them.",
    help: "Find a copy of the records. Drop partitions with `agentprint trail prune`, which signs them first.",
    why: "A partition that was dropped by mistake looks like one that was dropped to hide something.",
    example: { text: "A partition was dropped before it was signed." },
  },
};
