// Flips every byte of a trail of 200 records in JSON Lines in turn: each flip in a covered field must be found, and the
// report must name its record.
import assert from "node:assert/strict";
import type { ThoughtRecord } from "@agentprint/trail";
import { createThought, formatThoughtLine, verifyThoughtLines } from "@agentprint/trail/chain";
import { step } from "./harness.ts";

const RECORDS = 200;

function writeTrail(): Buffer {
  const records: ThoughtRecord[] = [];
  for (let index = 0; index < RECORDS; index++) {
    const fields = { type: "decision", task_id: "t", agent_id: "a", content: `Thought ${index} \u2705` } as const;
    const sources = { now: new Date(1.7e12 + index), id: `id${index}` };
    records.push(createThought(fields, records.at(-1) ?? null, sources));
  }
  return Buffer.from(records.map((record) => formatThoughtLine(record)).join(""));
}

/** The bytes of the value of `agent_id`, which is the only field that the hash does not cover. */
function isUncovered(line: string, column: number): boolean {
  const start = line.indexOf('"agent_id":"') + '"agent_id":"'.length;
  return column >= start && column < line.indexOf('"', start);
}

await step("flipped bytes", async () => {
  const text = writeTrail();
  const lines = text.toString("latin1").split("\n");
  let covered = 0;
  let offset = 0;
  for (const [index, line] of lines.slice(0, -1).entries()) {
    for (let column = 0; column <= line.length; column++) {
      const flipped = Buffer.from(text);
      flipped[offset + column] = (flipped[offset + column] as number) ^ 1;
      const report = await verifyThoughtLines([flipped]);
      if (isUncovered(line, column)) {
        assert.equal(report.ok, true, `byte ${column} of line ${index}`);
        continue;
      }
      covered++;
      assert.equal(report.ok, false, `byte ${column} of line ${index} was flipped unseen`);
      assert.equal(report.firstBadIndex, index, `byte ${column} of line ${index}`);
    }
    offset += line.length + 1;
  }
  return `${covered} flips found, each in its record`;
});
