import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accepts } from "./support/interpret.ts";
import { samplesOf } from "./support/samples.ts";
import { pair } from "./support/schemas.ts";
import { judgeOf } from "./support/validators.ts";

const D4 = "http://json-schema.org/draft-04/schema#";
const D7 = "http://json-schema.org/draft-07/schema#";
const D2019 = "https://json-schema.org/draft/2019-09/schema";
const S = { type: "string" };

test("two other validators agree, where they agree with one another", () => {
  const counts = { true: 0, false: 0, undefined: 0 };
  fc.assert(
    fc.property(pair, fc.nat(), ([schema, other], seed) => {
      const judge = judgeOf(schema);
      for (const value of samplesOf([schema, other], seed, 30)) {
        const expected = judge(value);
        counts[`${expected}`]++;
        if (expected !== undefined) expect([schema, value, accepts(schema, value)]).toEqual([schema, value, expected]);
      }
    }),
    { numRuns: Number(process.env["SCHEMA_DIFF_RUNS"] ?? 100) },
  );
  expect(Math.min(counts.true, counts.false)).toBeGreaterThan(10 * counts.undefined);
});

type Case = readonly [says: string, schema: unknown, accepted: readonly unknown[], rejected: readonly unknown[]];

describe("the standard says", () => {
  const strict = {
    $id: "https://example.com/strict",
    $dynamicAnchor: "node",
    $ref: "tree",
    unevaluatedProperties: false,
  };
  const tree = {
    $id: "https://example.com/tree",
    $dynamicAnchor: "node",
    type: "object",
    properties: { data: true, children: { type: "array", items: { $dynamicRef: "#node" } } },
  };
  const named = { $anchor: "name", ...S };

  test.each<Case>([
    [
      "2020-12 Core §8.2.3.2: a dynamic reference leads to the outermost schema with its anchor",
      { ...strict, $defs: { tree } },
      [{ children: [{ data: 1 }] }],
      [{ children: [{ daat: 1 }] }],
    ],
    [
      "2020-12 Core §8.2.3.2: to an anchor that is not dynamic it leads as any reference does",
      { $dynamicRef: "#name", $defs: { named } },
      ["a"],
      [1],
    ],
    [
      "2019-09 Core §8.2.4.2: a recursive reference leads to the outermost schema with a recursive anchor",
      {
        $schema: D2019,
        ...{ $id: "https://example.com/strict", $recursiveAnchor: true, $ref: "tree", unevaluatedProperties: false },
        $defs: {
          tree: {
            ...{ $id: "tree", $recursiveAnchor: true, type: "object" },
            properties: { data: true, child: { $recursiveRef: "#" } },
          },
        },
      },
      [{ child: { data: 1 } }],
      [{ child: { daat: 1 } }],
    ],
    [
      "2019-09 Core §8.2.4.2: without a recursive anchor it leads to the root of its own resource",
      { $schema: D2019, properties: { child: { $recursiveRef: "#" } }, type: "object" },
      [{ child: {} }],
      [{ child: 1 }],
    ],
    [
      "2020-12 Core §11.3: what a schema evaluates counts only where the schema holds",
      {
        anyOf: [
          { properties: { a: S }, required: ["a"] },
          { properties: { b: S }, required: ["b"] },
        ],
        unevaluatedProperties: false,
      },
      [{ a: "" }, { b: "" }, { a: "", b: "" }],
      [
        { a: "", b: 1 },
        { a: "", c: "" },
      ],
    ],
    [
      "2020-12 Core §11.3: patterns, conditions and dependent schemas evaluate, `not` does not",
      {
        patternProperties: { "^x": true },
        if: { properties: { a: { const: 1 } }, required: ["a"] },
        dependentSchemas: { d: { properties: { d: true, e: true } } },
        not: { not: { properties: { n: true } } },
        unevaluatedProperties: S,
      },
      [{ x: 1, a: 1 }, { d: 1, e: 1 }, { n: "" }],
      [{ a: 2 }, { e: 1 }, { n: 1 }],
    ],
    [
      "2020-12 Core §11.2: `contains` and `prefixItems` evaluate elements",
      { prefixItems: [true], contains: S, unevaluatedItems: { type: "null" } },
      [
        [1, "a", null],
        [1, null, "a"],
      ],
      [
        [1, 2, "a"],
        [1, null],
      ],
    ],
    [
      "2019-09 Core §11.2: `contains` evaluates nothing",
      { $schema: D2019, items: [true], contains: S, unevaluatedItems: { type: "null" } },
      [["a", null]],
      [["a", "a"]],
    ],
    [
      "2019-09 Core §9.3.1: what `additionalItems` and `items` apply to is evaluated",
      { $schema: D2019, items: [true], additionalItems: S, unevaluatedItems: false, uniqueItems: true },
      [[1, "a"], []],
      [
        [1, 2],
        [1, "a", "a"],
      ],
    ],
    [
      "2020-12 Core §11.3: `additionalProperties` and an inner `unevaluatedProperties` leave nothing over",
      { allOf: [{ additionalProperties: S }, { unevaluatedProperties: S }], unevaluatedProperties: false },
      [{ a: "" }, {}],
      [{ a: 1 }],
    ],
    [
      "draft-04 Validation §5.1.3: `exclusiveMinimum` is a flag",
      { $schema: D4, minimum: 1, exclusiveMinimum: true, maximum: 3, exclusiveMaximum: true },
      [2, "a"],
      [1, 3],
    ],
    ["draft-04: a flag that is false changes nothing", { $schema: D4, minimum: 1, exclusiveMinimum: false }, [1], [0]],
    [
      "draft-07 Core §8.3: keywords next to a reference are ignored",
      { $schema: D7, $ref: "#/definitions/s", definitions: { s: S }, maxLength: 1 },
      ["ab"],
      [1],
    ],
    [
      "2019-09 Core §8.2.4.1: keywords next to a reference are not ignored",
      { $ref: "#/$defs/s", $defs: { s: S }, maxLength: 1 },
      ["a"],
      ["ab", 1],
    ],
    [
      "draft-07 Validation §6.5.7: `dependencies` has lists of names and schemas",
      { $schema: D7, dependencies: { a: ["b"], c: { maxProperties: 1 } } },
      [{ a: 1, b: 1 }, { c: 1 }, { d: 1 }, "a"],
      [{ a: 1 }, { c: 1, d: 1 }],
    ],
    [
      "2019-09 Validation §6.5.4: `dependentRequired` has lists of names",
      { dependentRequired: { a: ["b"] } },
      [{ a: 1, b: 1 }, { b: 1 }],
      [{ a: 1 }],
    ],
    [
      "draft-07 Core §6.5: keywords of later drafts are unknown",
      { $schema: D7, prefixItems: [S], unevaluatedItems: false, minContains: 0, contains: {} },
      [[1]],
      [[]],
    ],
    [
      "2020-12 Core §10.3.1: a list of prefixes and the schema of the rest",
      { prefixItems: [S], items: { type: "null" } },
      [["a", null], []],
      [["a", "a"], [null]],
    ],
    [
      "without `$schema`, a list of `items` is read as in older drafts",
      { items: [S], additionalItems: false },
      [["a"], []],
      [["a", "a"], [1]],
    ],
    [
      "2020-12 Validation §6.4.4: `minContains` and `maxContains` count",
      { contains: S, minContains: 2, maxContains: 3 },
      [["a", "b"], 1],
      [["a"], ["a", "b", "c", "d"]],
    ],
    ["2020-12 Validation §6.4.5: `minContains` of 0 is always fulfilled", { contains: S, minContains: 0 }, [[]], []],
    [
      "2020-12 Core §4.2.2: arrays and objects are equal by their parts",
      { enum: [[1, { a: 1, b: [] }]] },
      [[1, { b: [], a: 1 }]],
      [[1, { a: 1 }], [1], { a: 1 }, [1, { a: 1, b: {} }], [1, { a: 1, c: [] }]],
    ],
    [
      "2020-12 Validation §6.4.3: equal elements are not unique",
      { uniqueItems: true },
      [[1, true, "1", [1], [2], { a: 1 }, null, {}]],
      [
        [1, 1],
        [[1], [1]],
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      ],
    ],
    ["2020-12 Validation §6.3.1: characters are counted", { minLength: 1, maxLength: 2 }, ["😀😀"], ["", "abc"]],
    [
      "RFC 8259 §4: names are names, whatever prototypes have",
      { required: ["toString"], properties: { constructor: S } },
      [{ toString: 1, constructor: "" }],
      [{}, { toString: 1, constructor: 1 }],
    ],
    [
      "2020-12 Core §6.5: unknown keywords restrict nothing",
      { $async: true, "x-type": 1, id: 5, type: "string" },
      [""],
      [1],
    ],
    [
      "OpenAPI 3.0: `nullable` next to a type accepts null",
      { type: "string", nullable: true, minLength: 1 },
      [null, "a"],
      ["", 1],
    ],
    [
      "2020-12 Core §9.3.3: an embedded resource has its own draft",
      { properties: { a: { $id: "https://example.com/a", $schema: D4, exclusiveMinimum: true, minimum: 0 } } },
      [{ a: 1 }],
      [{ a: 0 }],
    ],
  ])("%s", (_, schema, accepted, rejected) => {
    expect(accepted.map((value) => [value, accepts(schema, value)])).toEqual(accepted.map((value) => [value, true]));
    expect(rejected.map((value) => [value, accepts(schema, value)])).toEqual(rejected.map((value) => [value, false]));
  });

  test("`__proto__` is a name as any other", () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}');
    const values = ['{"__proto__":"a"}', '{"__proto__":1}', "{}"].map((text) => JSON.parse(text));
    expect(values.map((value) => accepts(schema, value))).toEqual([true, false, false]);
  });
});
