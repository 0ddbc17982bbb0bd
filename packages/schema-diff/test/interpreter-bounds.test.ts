import type { JsonValue } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import { StepBudget, withinBudget } from "../src/budget.ts";
import { SchemaRefused } from "../src/confirm/application.ts";
import { Confirmation } from "../src/confirm/confirm.ts";
import { doubledReferences, many } from "./support/hostile.ts";
import { accepts, interpreterOf } from "./support/interpret.ts";

const D2019 = "https://json-schema.org/draft/2019-09/schema";
const S = { type: "string" };

describe("references", () => {
  test("that lead out of the document accept anything", () => {
    const schema = {
      properties: { a: { $ref: "https://example.com/a#/b" }, c: { $dynamicRef: "https://example.com/a#d" } },
    };
    expect(accepts({ ...schema, required: ["e"] }, { a: 1, c: 1, e: 1 })).toBe(true);
    expect(accepts({ ...schema, required: ["e"] }, { a: 1, c: 1 })).toBe(false);
  });

  test.each<[string, object]>([
    ["next to what rejects the value", { type: "string", properties: { a: { $ref: "#/$defs/none" } } }],
    ["in a definition that nothing refers to", { $defs: { a: { items: { $ref: "#none" } } } }],
    ["below the schema that another reference leads to", { $ref: "#/x/a", x: { a: { not: { $ref: "#/x/b" } } } }],
    ["by the scope", { $dynamicRef: "#none" }],
    ["to the root", { $schema: D2019, $recursiveRef: "#/none" }],
    ["because it is no text", { $defs: { a: { $ref: 1 } } }],
    ["to one of two schemas", { $ref: "#a", $defs: { a: { $anchor: "a" }, b: { $anchor: "a", ...S } } }],
  ])("that lead nowhere refuse the schema as a whole: %s", (_, schema) => {
    expect(() => interpreterOf(schema, new StepBudget(1000))).toThrow(SchemaRefused);
  });

  test("that stand in data, below unknown keywords, or as a name, are none", () => {
    const data = { $ref: "#/none" };
    const schema = { const: data, default: data, examples: [data], "x-a": data, properties: { $ref: true } };
    expect(accepts(schema, data)).toBe(true);
  });
});

describe("a schema is refused where a validator would refuse it", () => {
  test.each<[string, unknown]>([
    ["no schema", { allOf: [1] }],
    ["an unknown type", { type: "strng" }],
    ["a text for a number", { minLength: "1" }],
    ["a number for a pattern", { pattern: 1 }],
    ["an object for a list", { allOf: {} }],
    ["a list for an object", { properties: [] }],
    ["a list of items in 2020-12", { $schema: "https://json-schema.org/draft/2020-12/schema", items: [S] }],
  ])("%s", (_, schema) => {
    const values = ["a", { a: 1 }, [1]];
    const said = values.map((value) => {
      try {
        return accepts(schema, value);
      } catch (error) {
        return error;
      }
    });
    expect(said.some((each) => each instanceof SchemaRefused)).toBe(true);
  });
});

describe("the work is bounded", () => {
  const stops = (schema: unknown, value: unknown, steps = 10_000) =>
    withinBudget(() => [accepts(schema, value, steps)]) === undefined;

  test.each<[string, unknown, unknown]>([
    ["definitions that apply the next one twice", doubledReferences(60, "$ref", "allOf"), {}],
    ["the same with dynamic references", doubledReferences(60, "$dynamicRef", "allOf"), {}],
    [
      "objects against objects",
      { enum: many(300, (i) => [...many(300, () => ({ a: 1 })), i]) },
      [...many(300, () => ({ a: 1 })), -1],
    ],
    ["every object with every other", { uniqueItems: true }, many(600, (i) => ({ a: i }))],
    ["a long text with many lengths", { anyOf: many(300, (i) => ({ minLength: 20_000 + i })) }, "x".repeat(10_000)],
    [
      "many patterns for many names",
      { patternProperties: Object.fromEntries(many(100, (i) => [`a${i}$`, true])) },
      Object.fromEntries(many(100, (i) => [`k${i}`, i])),
    ],
    [
      "sets of evaluated members",
      { allOf: many(300, () => ({ additionalProperties: true, properties: {} })), unevaluatedProperties: false },
      Object.fromEntries(many(400, (i) => [`k${i}`, i])),
    ],
    ["a large schema", { $defs: Object.fromEntries(many(20_000, (i) => [`k${i}`, S])) }, 1],
  ])("%s", (_, schema, value) => {
    expect(stops(schema, value)).toBe(true);
  });

  test("a schema that applies itself to the same value is refused, and deep values are judged", () => {
    expect(() => accepts({ $ref: "#" }, 1)).toThrow(SchemaRefused);
    const deep = many(240, (i) => i).reduce<JsonValue>((inner) => ({ child: inner }), 1);
    const schema = {
      $ref: "#/$defs/node",
      $defs: { node: { anyOf: [{ type: "integer" }, { properties: { child: { $ref: "#" } } }] } },
    };
    expect(accepts(schema, deep)).toBe(true);
  });
});

test("a confirmation says no where the interpreter cannot tell, and hides no other error", () => {
  const confirms = (schema: JsonValue, value: JsonValue, steps = 1000) =>
    new Confirmation(schema).confirms(value, true, new StepBudget(steps));
  expect([confirms({ required: ["a"] }, { a: 1 }), confirms({ required: ["a"] }, {})]).toEqual([true, false]);
  expect([confirms({ $ref: "#/none" }, 1), confirms({ $ref: "#" }, 1), confirms({}, 1, 0)]).toEqual(
    Array(3).fill(false),
  );
  const faulty = {
    get a(): never {
      throw new RangeError("a fault");
    },
  };
  expect(() => confirms({ properties: { a: { type: "null" } } }, faulty)).toThrow(RangeError);
});
