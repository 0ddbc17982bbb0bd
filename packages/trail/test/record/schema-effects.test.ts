import { fileURLToPath } from "node:url";
import { outputOf } from "@agentprint/testing/programs";
import { expect, test } from "vitest";
import { z } from "zod";
import { ThoughtRecordSchema, ZERO_HASH } from "../../src/record/schema.ts";

const RECORD = {
  id: "1",
  type: "plan",
  task_id: "t",
  agent_id: "a",
  content: "",
  timestamp: "2026-01-01T00:00:00.000Z",
  prev_hash: ZERO_HASH,
  hash: ZERO_HASH,
} as const;
/** The hash fields as the specification's text defines them. */
const TEXT = z.object({ prev_hash: z.string().length(64), hash: z.string().length(64) });

test("importing ./schema has no effect: no schema of it is in the registry of all schemas", () => {
  const source = fileURLToPath(new URL("../../src/record/schema.ts", import.meta.url));
  const program = `
    import { z } from "zod";
    const { ThoughtRecordSchema } = await import(${JSON.stringify(source)});
    const all = [ThoughtRecordSchema, ...Object.values(ThoughtRecordSchema.shape)];
    console.log(all.map((schema) => z.globalRegistry.has(schema)).join());
    console.log([...z.globalRegistry._idmap.keys()].length, Object.keys(z.toJSONSchema(z.globalRegistry).schemas).length);
  `;
  const args = ["--conditions=@agentprint/source", "--input-type=module", "--eval", program];
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const out = outputOf(process.execPath, args, { cwd });
  expect(out.trim().split("\n")).toEqual([Array(9).fill("false").join(), "0 0"]);
});

test("its JSON Schema still says how long a hash is", () => {
  const { properties = {} } = z.toJSONSchema(ThoughtRecordSchema);
  for (const name of ["prev_hash", "hash"]) {
    expect(properties[name]).toMatchObject({ type: "string", minLength: 64, maxLength: 64 });
  }
});

test.each([
  [[]],
  [["a"]],
  [Array(64).fill("a")],
  [Array(65).fill("a")],
  [1],
  [null],
  [{}],
  [{ length: 3 }],
  [true],
  [undefined],
])("%j for a hash has the issues that the text's schema gives", (value) => {
  const issues = (schema: z.ZodType, input: object) =>
    schema.safeParse(input).error?.issues.map(({ message: _message, ...issue }) => issue);
  const expected = issues(TEXT, { prev_hash: ZERO_HASH, hash: value });
  expect(issues(ThoughtRecordSchema, { ...RECORD, hash: value })).toEqual(expected);
  if (Array.isArray(value)) expect(expected?.length).toBe(value.length === 64 ? 1 : 2);
});

test("a hash is counted in UTF-16 units", () => {
  expect(ThoughtRecordSchema.safeParse({ ...RECORD, hash: "\u{1f600}".repeat(32) }).success).toBe(true);
  expect(ThoughtRecordSchema.safeParse({ ...RECORD, hash: "\u{1f600}".repeat(64) }).success).toBe(false);
  expect(ThoughtRecordSchema.safeParse({ ...RECORD, hash: "a".repeat(63) }).success).toBe(false);
});
