import { createThought, formatThoughtLine } from "@agentprint/trail/chain";
import { THOUGHT_TYPES, ZERO_HASH } from "@agentprint/trail/record";
import fc from "fast-check";
import { expect, test } from "vitest";
import { chainLine } from "../src/sink/chain-line.ts";

test("a line is the one that the plain code writes, whatever characters it has", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", minLength: 1 }),
    fc.array(fc.nat(0xffff), { minLength: 1 }).map((units) => String.fromCharCode(...units)),
  );
  const thought = fc.record({
    id: text,
    type: fc.constantFrom(...THOUGHT_TYPES),
    task_id: text,
    agent_id: text,
    content: text,
    timestamp: text,
  });
  fc.assert(
    fc.property(thought, (fields) => {
      const record = createThought(fields, null, { id: fields.id, now: fields.timestamp });
      expect(chainLine(fields, ZERO_HASH)).toEqual({ hash: record.hash, line: formatThoughtLine(record) });
    }),
  );
});
