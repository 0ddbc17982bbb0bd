import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import * as trail from "../../src/index.ts";
import { canonicalize, computeHash, THOUGHT_TYPES, ThoughtRecordSchema, ZERO_HASH } from "../../src/index.ts";
import * as record from "../../src/record/index.ts";
import * as schema from "../../src/record/schema.ts";

const valid = {
  id: "r1",
  type: "plan",
  task_id: "t1",
  agent_id: "a1",
  content: "c",
  timestamp: "ts",
  prev_hash: ZERO_HASH,
  hash: "f".repeat(64),
} as const;
const { agent_id: _agent, hash: _hash, ...hashed } = valid;
const GENESIS = "22d1b4af7cb508493d71cf0043647d1e19c99f2244f02c432354e0941e5a6d9d";

describe("contract §8", () => {
  test("1 THOUGHT_TYPES tuple", () => {
    expect(THOUGHT_TYPES).toHaveLength(4);
    expect(THOUGHT_TYPES).toEqual(["plan", "analysis", "decision", "reflection"]);
    expect(Object.isFrozen(THOUGHT_TYPES)).toBe(true);
  });

  test("2 ZERO_HASH format", () => {
    expect(ZERO_HASH).toHaveLength(64);
    expect(ZERO_HASH).toMatch(/^0{64}$/);
  });

  test("3 ThoughtRecordSchema accepts valid record", () => {
    expect(ThoughtRecordSchema.parse(valid)).toEqual(valid);
    expect(ThoughtRecordSchema.parse(JSON.parse(JSON.stringify(valid)))).toEqual(valid);
    expect(ThoughtRecordSchema.parse({ ...valid, content: "" })).toEqual({ ...valid, content: "" });
  });

  test.each(Object.keys(valid))("4 ThoughtRecordSchema rejects each missing field: %s", (field) => {
    const { [field]: _omitted, ...rest } = valid as Record<string, string>;
    expect(ThoughtRecordSchema.safeParse(rest).success).toBe(false);
  });

  test("5 ThoughtRecordSchema rejects invalid type", () => {
    expect(ThoughtRecordSchema.safeParse({ ...valid, type: "observation" }).success).toBe(false);
  });

  test.each(["prev_hash", "hash"])("6 ThoughtRecordSchema rejects 63-char prev_hash / hash: %s", (field) => {
    expect(ThoughtRecordSchema.safeParse({ ...valid, [field]: "0".repeat(63) }).success).toBe(false);
  });

  test.each(["prev_hash", "hash"])("7 ThoughtRecordSchema rejects 65-char prev_hash / hash: %s", (field) => {
    expect(ThoughtRecordSchema.safeParse({ ...valid, [field]: "0".repeat(65) }).success).toBe(false);
  });

  test.each(["hi", 42, -0, 1e21, true, false, null])("8 canonicalize primitives: %s", (value) => {
    expect(canonicalize(value)).toBe(JSON.stringify(value));
  });

  test("9 canonicalize sorts object keys", () => {
    expect(canonicalize({ b: 1, a: 2 })).toBe('{"a":2,"b":1}');
    expect(canonicalize({ "9": 1, "10": 2 })).toBe('{"10":2,"9":1}');
  });

  test("10 canonicalize recurses into nested objects", () => {
    const x = { b: { d: 1, c: 2 }, a: 3 };
    const y = { a: 3, b: { c: 2, d: 1 } };
    expect(canonicalize(x)).toBe(canonicalize(y));
    expect(canonicalize(x)).toBe('{"a":3,"b":{"c":2,"d":1}}');
  });

  test("11 canonicalize preserves array order", () => {
    expect(canonicalize([3, 1, 2])).toBe("[3,1,2]");
  });

  test("12 canonicalize insertion-order-agnostic", () => {
    expect(canonicalize({ b: 1, a: 2 })).toBe(canonicalize({ a: 2, b: 1 }));
  });

  test("13 canonicalize skips undefined object values", () => {
    expect(canonicalize({ a: 1, b: undefined, c: 3 })).toBe('{"a":1,"c":3}');
  });

  test("14 canonicalize throws on circular reference", () => {
    const object: Record<string, unknown> = {};
    object["self"] = object;
    const array: unknown[] = [];
    array.push([array]);
    expect(() => canonicalize(object)).toThrow(TypeError);
    expect(() => canonicalize(array)).toThrow(TypeError);
  });

  test("15 computeHash produces 64-char lowercase hex", () => {
    expect(computeHash(hashed)).toMatch(/^[0-9a-f]{64}$/);
  });

  test("16 computeHash deterministic (same input twice)", () => {
    expect(computeHash(hashed)).toBe(computeHash(hashed));
  });

  test("17 computeHash excludes agent_id from the hash input", () => {
    expect(computeHash(valid)).toBe(computeHash(Object.assign({}, valid, { agent_id: "someone-else" })));
    expect(computeHash(valid)).toBe(computeHash(Object.assign({}, valid, { hash: "e".repeat(64) })));
    expect(computeHash(valid)).toBe(GENESIS);
  });

  test.each([
    [18, "id", "r2"],
    [19, "type", "analysis"],
    [20, "task_id", "t2"],
    [21, "content", "c2"],
    [22, "timestamp", "ts2"],
    [23, "prev_hash", "1".repeat(64)],
  ])("%i computeHash sensitive to %s change", (_number, field, value) => {
    expect(computeHash({ ...hashed, [field]: value })).not.toBe(GENESIS);
  });

  test("24 computeHash insertion-order-agnostic", () => {
    const reversed = Object.fromEntries(Object.entries(hashed).reverse()) as typeof hashed;
    expect(Object.keys(reversed)[0]).toBe("prev_hash");
    expect(computeHash(reversed)).toBe(computeHash(hashed));
  });

  test("25 computeHash first-record genesis", () => {
    expect(computeHash({ ...hashed, prev_hash: ZERO_HASH })).toBe(GENESIS);
  });
});

describe("contract §2 and §5", () => {
  test("exports the seven identifiers, two of which are types, and nothing else", () => {
    expect(Object.keys(trail).sort()).toEqual([
      "THOUGHT_TYPES",
      "ThoughtRecordSchema",
      "ZERO_HASH",
      "canonicalize",
      "computeHash",
    ]);
  });

  test("exports the same without the schema from ./record", () => {
    const { ThoughtRecordSchema: _schema, ...others } = trail;
    expect({ ...record }).toEqual(others);
  });

  test("names BigInt in the error of a bigint", () => {
    expect(() => canonicalize({ n: 1n })).toThrow(/BigInt/);
    expect(() => canonicalize({ n: 1n })).toThrow(TypeError);
  });

  test("skips functions and symbols in objects, writes null for them in arrays, refuses them at the top", () => {
    const f = (): number => 1;
    expect(canonicalize({ a: 1, f, s: Symbol("s") })).toBe('{"a":1}');
    expect(canonicalize([f, Symbol("s"), undefined])).toBe("[null,null,null]");
    for (const value of [f, Symbol("s"), undefined]) expect(() => canonicalize(value)).toThrow(TypeError);
  });

  test("lets computeHash pass on the error of canonicalize", () => {
    expect(() => computeHash({ ...hashed, content: 1n as unknown as string })).toThrow(/BigInt/);
  });

  test("measures hashes in UTF-16 units and says so in JSON Schema", () => {
    expect(ThoughtRecordSchema.safeParse({ ...valid, hash: "\u{1f600}".repeat(32) }).success).toBe(true);
    expect(ThoughtRecordSchema.safeParse({ ...valid, hash: "\u{1f600}".repeat(64) }).success).toBe(false);
    const { properties } = z.toJSONSchema(ThoughtRecordSchema);
    expect(properties?.["hash"]).toMatchObject({ type: "string", minLength: 64, maxLength: 64 });
  });

  test("reports every schema violation with its path", () => {
    const { error } = ThoughtRecordSchema.safeParse({ ...valid, id: "", hash: null });
    expect(error?.issues.map((issue) => issue.path)).toEqual([["id"], ["hash"]]);
  });
});

describe("a hash that is not 64 UTF-16 units long", () => {
  test.each([
    ["", "too_small"],
    ["0".repeat(63), "too_small"],
    ["0".repeat(65), "too_big"],
    ["😀".repeat(31), "too_small"],
    ["😀".repeat(64), "too_big"],
  ])("%j has the code that zod gives for a length: %s", (hash, code) => {
    const limit = code === "too_small" ? { minimum: 64 } : { maximum: 64 };
    const message = `Too ${code === "too_small" ? "small" : "big"}: expected string to have exactly 64 characters`;
    expect(ThoughtRecordSchema.safeParse({ ...valid, hash }).error?.issues).toEqual([
      { code, ...limit, origin: "string", inclusive: true, exact: true, path: ["hash"], message },
    ]);
  });

  test("is measured in units, as the specification's z.string().length(64) did", () => {
    expect(ThoughtRecordSchema.safeParse({ ...valid, hash: "😀".repeat(32) }).success).toBe(true);
  });
});

test("schema.ts exports the identifiers of §2; the two types among the seven are no values", () => {
  expect(Object.keys(schema).sort()).toEqual(
    ["THOUGHT_TYPES", "ThoughtRecordSchema", "ZERO_HASH", "canonicalize", "computeHash"].sort(),
  );
  expectTypeOf<schema.ThoughtType>().toEqualTypeOf<"plan" | "analysis" | "decision" | "reflection">();
  expectTypeOf<schema.ThoughtRecord>().toEqualTypeOf<z.infer<typeof schema.ThoughtRecordSchema>>();
});
