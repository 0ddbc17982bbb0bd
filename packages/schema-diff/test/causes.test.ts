import { diffJson, type JsonValue } from "@agentprint/canonical-json";
import { pairElements } from "@agentprint/json-schema";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SchemaMixer } from "../src/causes/mix-schemas.ts";
import {
  type CompareSchemasOptions,
  compareSchemas,
  type IsolatedCauses,
  isolateCauses,
  type SchemaComparison,
  StepBudget,
} from "../src/index.ts";
import { pair } from "./support/schemas.ts";

const editsOf = (before: JsonValue, after: JsonValue) => diffJson(before, after, { pairElements });

function causesOf(
  before: JsonValue,
  after: JsonValue,
  options: CompareSchemasOptions = { direction: "input" },
): IsolatedCauses<SchemaComparison> | undefined {
  return isolateCauses(before, after, editsOf(before, after), (schema) => compareSchemas(before, schema, options));
}

/** Returns the pointers of each cause's edits. */
const pointersOf = (before: JsonValue, after: JsonValue, options?: CompareSchemasOptions) =>
  causesOf(before, after, options)?.causes.map(({ edits }) => edits.map(({ pointer }) => pointer).join(" + "));

const BEFORE = {
  type: "object",
  properties: { path: { type: "string" } },
  required: ["path"],
  additionalProperties: {},
};

describe("the causes of a break", () => {
  test("are not the dialect, nor what is added without breaking", () => {
    const after = {
      ...BEFORE,
      $schema: "https://json-schema.org/draft/2020-12/schema",
      properties: { path: { type: ["string", "null"], title: "Path" }, mode: {} },
      additionalProperties: false,
    };
    const found = causesOf(BEFORE, after);
    expect(found?.causes.map(({ edits }) => edits)).toEqual([
      [{ pointer: "/additionalProperties", before: {}, after: false }],
    ]);
    expect(found?.causes[0]?.alone).toMatchObject({ verdict: "breaking", counterexample: { rejectedBy: "after" } });
    expect(found?.undone.verdict).toBe("compatible");
  });

  test("are each of several edits that break alone", () => {
    const after = {
      ...BEFORE,
      properties: { path: { type: "string", minLength: 1 }, mode: { enum: ["a"] } },
      required: ["path", "mode", "other"],
    };
    expect(pointersOf(BEFORE, after)).toEqual([
      "/properties/mode",
      "/properties/path/minLength",
      "/required/1",
      "/required/2",
    ]);
  });

  test("are edits together where none breaks alone", () => {
    const lengths = (most: number, least: number) => ({
      type: "string",
      anyOf: [{ maxLength: most }, { minLength: least }],
    });
    expect(pointersOf(lengths(1, 1), lengths(0, 2))).toEqual(["/anyOf/0/maxLength + /anyOf/1/minLength"]);
    const both = { ...lengths(0, 2), pattern: "^x" };
    expect(pointersOf(lengths(1, 1), both)).toEqual(["/anyOf/0/maxLength + /anyOf/1/minLength", "/pattern"]);
  });

  test("are none that need not be undone, because another edit makes up for them", () => {
    const before = { type: "object", properties: { a: { type: "string" }, b: {} }, additionalProperties: false };
    const after = { type: "object", patternProperties: { "^a$": { type: "string" } }, additionalProperties: false };
    expect(pointersOf(before, { ...after, properties: { b: {} } })).toBeUndefined();
    expect(pointersOf(before, { ...after, properties: {} })).toEqual(["/properties/b"]);
  });

  test("are none that cancel each other, such as two alternatives that changed places", () => {
    const schema = (anyOf: JsonValue[], type: string) => ({ properties: { kind: { anyOf }, path: { type } } });
    const [one, two] = [{ const: 1 }, { const: 2 }];
    expect(pointersOf(schema([one, two], "string"), schema([two, one], "number"))).toEqual(["/properties/path/type"]);
  });

  test("are references, not the definitions that these lead to", () => {
    const before = { type: "object", properties: { a: { $ref: "#/$defs/old" } }, $defs: { old: { type: "string" } } };
    const after = { ...before, properties: { a: { $ref: "#/$defs/fresh" } }, $defs: { fresh: { type: "number" } } };
    expect(pointersOf(before, after)).toEqual(["/properties/a/$ref"]);
    const changed = { ...before, $defs: { old: { type: "number" } } };
    expect(pointersOf(before, changed)).toEqual(["/$defs/old/type"]);
  });

  test("are members next to definitions if a reference reads all of them as one schema", () => {
    const before = { type: "object", properties: { a: { $ref: "#/definitions" } }, definitions: { type: "string" } };
    const after = { ...before, definitions: { type: "string", minLength: 5 } };
    expect(pointersOf(before, after)).toEqual(["/definitions/minLength"]);
    expect(pointersOf(after, before, { direction: "output" })).toEqual(["/definitions/minLength"]);
  });

  test("can be the whole schema", () => {
    expect(pointersOf(true, { type: "object" })).toEqual([""]);
    expect(pointersOf({ type: "object" }, true, { direction: "output" })).toEqual([""]);
  });

  test("of a result are what it can be from now on", () => {
    const before = { type: "object", properties: { size: { type: "integer" } }, required: ["size"] };
    const after = { type: "object", properties: { size: { type: "number", minimum: 0 } }, required: [] };
    expect(pointersOf(before, after, { direction: "output" })).toEqual(["/properties/size/type", "/required/0"]);
  });

  test("are not named where nothing breaks, or nothing is left to judge with", () => {
    expect(causesOf(BEFORE, { ...BEFORE, required: [] })).toBeUndefined();
    const after = { ...BEFORE, additionalProperties: false, required: ["path", "mode"] };
    const edits = editsOf(BEFORE, after);
    let left = 3;
    const judge = (schema: JsonValue) =>
      left-- > 0 ? compareSchemas(BEFORE, schema, { direction: "input" }) : undefined;
    expect(isolateCauses(BEFORE, after, edits, judge)).toBeUndefined();
  });

  test("are not looked for among more than 256 edits", () => {
    const named = (count: number) => ({
      type: "object",
      required: Array.from({ length: count }, (_, index) => `p${index}`),
    });
    const before = named(0);
    expect(causesOf(before, named(256))?.causes).toHaveLength(256);
    expect(causesOf(before, named(257))).toBeUndefined();
  });

  test("an error of the judge is not hidden", () => {
    const fail = () => {
      throw new TypeError("broken");
    };
    expect(() => isolateCauses({}, false, editsOf({}, false), fail)).toThrow("broken");
  });

  test("are proven for any two schemas: each alone breaks, with all undone nothing does, with one fewer it does", () => {
    const direction = fc.constantFrom("input" as const, "output" as const);
    let breaking = 0;
    fc.assert(
      fc.property(pair, direction, ([one, other], way) => {
        const [before, after] = [one, other] as unknown as [JsonValue, JsonValue];
        const budget = new StepBudget(20_000_000);
        const verdictOf = (schema: JsonValue) => compareSchemas(before, schema, { direction: way, budget }).verdict;
        const edits = editsOf(before, after);
        const found = isolateCauses(before, after, edits, (schema) => ({ verdict: verdictOf(schema) }));
        if (verdictOf(after) !== "breaking") expect(found).toBeUndefined();
        if (found === undefined) return;
        breaking++;
        const mixer = new SchemaMixer(
          before,
          after,
          edits.map(({ pointer }) => pointer),
        );
        const numbers = found.causes.map((cause) => cause.edits.map((edit) => edits.indexOf(edit)));
        const definitions = edits.flatMap(({ pointer, before: was, after: is }, index) =>
          /^\/(?:\$defs|definitions)(?:\/[^/]*)?$/.test(pointer) && (was === undefined || is === undefined)
            ? [index]
            : [],
        );
        const isKept = numbers.flat().every((number) => !definitions.includes(number));
        const fresh = isKept ? definitions.filter((number) => edits[number]?.before === undefined) : [];
        const open = [...edits.keys()].filter((number) => !isKept || !definitions.includes(number));
        const mixed = (some: readonly number[]) => mixer.mix(new Set([...fresh, ...some]));
        const without = (causes: readonly (readonly number[])[]) => {
          const undone = new Set(causes.flat());
          return mixed(open.filter((number) => !undone.has(number)));
        };
        for (const cause of numbers) {
          expect(verdictOf(mixed(cause))).toBe("breaking");
          expect(verdictOf(without(numbers.filter((each) => each !== cause)))).toBe("breaking");
        }
        expect(verdictOf(without(numbers))).not.toBe("breaking");
      }),
      { numRuns: runs(120) },
    );
    expect(breaking).toBeGreaterThan(3);
  });
});

describe("a mixture of two schemas", () => {
  const json = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthSize: "medium" },
      fc.constantFrom<JsonValue>("a", "b", "c", 1, 2, null, true),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom("a", "b", "__proto__", "~/"), tie("value"), {
        maxKeys: 3,
      }) as fc.Arbitrary<JsonValue>,
    ),
  })).value;

  test("with no edit is the one, with all edits the other", () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const edits = editsOf(before, after);
        const mixer = new SchemaMixer(
          before,
          after,
          edits.map(({ pointer }) => pointer),
        );
        expect(mixer.mix(new Set())).toEqual(before);
        expect(mixer.mix(new Set(edits.keys()))).toEqual(after);
      }),
      {
        numRuns: runs(500),
        examples: [
          [
            [true, "b", 2],
            ["b", "a", "c"],
          ],
          [
            ["a", "b", "c"],
            ["c", "x"],
          ],
        ],
      },
    );
  });

  test("with one edit differs from the first in that edit alone", () => {
    const [before, after] = [
      { required: ["a", "b", "c"], enum: [1, 2], items: [{ a: 1 }, { b: 1 }] },
      { required: ["b", "x", "c", "d"], enum: [1, 3], items: [{ a: 2 }, { b: 1 }, {}] },
    ];
    const edits = editsOf(before, after);
    const mixer = new SchemaMixer(
      before,
      after,
      edits.map(({ pointer }) => pointer),
    );
    const mixed = Object.fromEntries(edits.map(({ pointer }, index) => [pointer, mixer.mix(new Set([index]))]));
    expect(mixed).toEqual({
      "/enum/1": { ...before, enum: [1, 3] },
      "/items/0/a": { ...before, items: [{ a: 2 }, { b: 1 }] },
      "/items/2": { ...before, items: [...before.items, {}] },
      "/required/0": { ...before, required: ["b", "c"] },
      "/required/1": { ...before, required: ["a", "b", "x", "c"] },
      "/required/3": { ...before, required: ["a", "b", "c", "d"] },
    });
  });
});
