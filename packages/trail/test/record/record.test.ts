import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { z } from "zod";
import { isRecord, recordIssues, type ThoughtRecord, ZERO_HASH } from "../../src/record/record.ts";
import { ThoughtRecordSchema } from "../../src/record/thought-record-schema.ts";

const valid = {
  id: "r1",
  type: "plan",
  task_id: "t1",
  agent_id: "a1",
  content: "c",
  timestamp: "ts",
  prev_hash: ZERO_HASH,
  hash: "f".repeat(64),
};
const NOT_HEX = "expected 64 lowercase hex digits";

class Custom {}

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    "",
    "x",
    "plan",
    "reflection",
    ZERO_HASH,
    "F".repeat(64),
    "\u{1f600}".repeat(32),
    undefined,
    null,
    Number.NaN,
    Infinity,
    -Infinity,
    1n,
    Symbol("s"),
    () => 1,
    [],
    {},
    new Date(0),
    new Map(),
    new Custom(),
    new String("boxed"),
    Object.create(null),
    Object.create({ constructor: undefined }),
    { constructor: { name: "own" } },
  ),
  fc.anything(),
);
const value = fc.oneof(
  odd,
  fc.record(Object.fromEntries(Object.entries(valid).map(([name, good]) => [name, fc.oneof(fc.constant(good), odd)])), {
    requiredKeys: [],
  }),
);

/** Returns the first issue that the schema has with each field, in the form that `recordIssues` uses. */
function schemaIssues(candidate: unknown): unknown[] {
  const { error } = ThoughtRecordSchema.safeParse(candidate);
  const issues = (error?.issues ?? []).map(({ path, message }) => ({ field: path[0], message }));
  return issues.filter(({ field }, index) => issues.findIndex((issue) => issue.field === field) === index);
}

describe("a record without zod", () => {
  test("is accepted where the schema accepts it, and refused with the same issues in the same order", () => {
    fc.assert(
      fc.property(value, (candidate) => {
        const issues = recordIssues(candidate);
        const hexIssues = issues.filter(({ message }) => message === NOT_HEX);
        expect(issues.slice(0, issues.length - hexIssues.length)).toEqual(schemaIssues(candidate));
        expect(isRecord(candidate)).toBe(issues.length === hexIssues.length);
      }),
      { numRuns: runs(500) },
    );
  });

  test("has an issue behind the others for each hash of 64 characters that is no lowercase hex", () => {
    expect(recordIssues({ ...valid, prev_hash: "F".repeat(64), hash: "g".repeat(64), id: "" })).toEqual([
      { field: "id", message: "Too small: expected string to have >=1 characters" },
      { field: "prev_hash", message: NOT_HEX },
      { field: "hash", message: NOT_HEX },
    ]);
    expect(recordIssues(valid)).toEqual([]);
  });

  test("has the type that the schema gives", () => {
    expectTypeOf<ThoughtRecord>().toEqualTypeOf<z.infer<typeof ThoughtRecordSchema>>();
  });
});
