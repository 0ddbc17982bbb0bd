import { createThought, formatThoughtLine } from "@agentprint/trail/chain";
import { THOUGHT_TYPES, type ThoughtRecord, ZERO_HASH } from "@agentprint/trail/record";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ChainLines } from "../src/sink/chain-line.ts";

test("lines are those that the plain code writes, whatever characters it has", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", minLength: 1 }),
    fc.array(fc.nat(0xffff), { minLength: 1 }).map((units) => String.fromCharCode(...units)),
  );
  const thought = fc.record({
    id: text,
    type: fc.constantFrom(...THOUGHT_TYPES),
    agent_id: text,
    content: text,
    timestamp: text,
  });
  const lines = new ChainLines();
  fc.assert(
    fc.property(fc.array(thought), text, fc.constantFrom(1, 10_000), (some, task_id, times) => {
      lines.clear();
      const records: ThoughtRecord[] = [];
      for (const { content, ...rest } of some) {
        const fields = { ...rest, task_id, content: content.repeat(times) };
        const before = records.at(-1) ?? null;
        const record = createThought(fields, before, { id: fields.id, now: fields.timestamp });
        expect(lines.add(fields, before?.hash ?? ZERO_HASH)).toBe(record.hash);
        records.push(record);
      }
      expect(Buffer.from(lines.bytes).toString()).toBe(records.map(formatThoughtLine).join(""));
    }),
  );
});
