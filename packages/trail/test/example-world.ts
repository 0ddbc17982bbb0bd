import { writeFileSync } from "node:fs";
import type { ThoughtRecord } from "@agentprint/trail";
import { createThought, formatThoughtLine } from "@agentprint/trail/chain";
import {
  type Checkpoint,
  computeTreeHead,
  createCheckpoint,
  createNoteKeys,
  createNoteSigner,
} from "@agentprint/trail/checkpoint";

// Names that the examples in the documentation use without declaring them, and the file that they read.

const ORIGIN = "example.com/trail/task-42";

function chain(length: number): ThoughtRecord[] {
  const records: ThoughtRecord[] = [];
  for (let i = 0; i < length; i++) {
    const fields = { type: "plan", task_id: "task-42", agent_id: "planner", content: `step ${i}` } as const;
    const sources = { now: () => new Date(i * 1000), id: () => `record-${i}` };
    records.push(createThought(fields, records.at(-1) ?? null, sources));
  }
  return records;
}

export const records: ThoughtRecord[] = chain(6);
export const record: ThoughtRecord = records[0] as ThoughtRecord;
const keys = createNoteKeys(ORIGIN, new Uint8Array(32).fill(7));
export const signerKey: string = keys.signerKey;
export const verifierKey: string = keys.verifierKey;
export const checkpoint: Checkpoint = { origin: ORIGIN, ...(await computeTreeHead(records)) };
export const note: string = createCheckpoint(checkpoint, [createNoteSigner(signerKey)]);

writeFileSync("trail.jsonl", records.map(formatThoughtLine).join(""));
