import type { JsonObject, JsonValue } from "@agentprint/canonical-json";
import { acceptsValue, StepBudget } from "@agentprint/schema-diff";
import { describe, expect, test } from "vitest";
import { findOpenings } from "../src/drift/find-openings.ts";

const text = { type: "string" };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...more,
});
const openings = (before: JsonValue, after: JsonValue): string[] =>
  findOpenings(before, after, new StepBudget(1_000_000)).map(({ kind, pointer }) => `${kind} ${pointer}`);
const closed = object({ path: text, position: { type: "number" } }, { required: ["path", "position"] });
const line = object({ path: text, line: { type: "number" } }, { required: ["path", "line"] });
const list = { type: "array", items: text };
const pattern = { ...text, pattern: "^a+$" };
const none = { type: "null" };

describe("a schema that became one of several", () => {
  /**
   * Returns the openings of a parameter that becomes one of several choices, with both keywords, behind references, and
   * in a list.
   */
  const waysOf = (before: JsonValue, choices: readonly JsonValue[]): string[][] =>
    ["anyOf", "oneOf"].flatMap((keyword) => {
      const short = (rows: string[]) =>
        rows.map((row) => row.replace(/ (\/properties\/x|\/items)/, " ").replace(keyword, "of")).sort();
      const after = { [keyword]: [...choices] };
      const named = { [keyword]: choices.map((_, index) => ({ $ref: `#/$defs/${index}` })) };
      const $defs = Object.fromEntries(choices.map((choice, index) => [`${index}`, choice]));
      return [
        short(openings(object({ x: before }), object({ x: after }))),
        short(openings(object({ x: before }), object({ x: { ...after, default: null } }))),
        short(openings({ items: before, properties: {} }, { items: after, properties: {} })),
        short(openings(object({ x: before }), { ...object({ x: named }), $defs })).map((row) =>
          row.replace("/$defs/", "/of/"),
        ),
      ];
    });

  test.each<[string, JsonValue, JsonValue[], string[]]>([
    ["or null", closed, [closed, none], []],
    ["or a flag", closed, [closed, { type: "boolean" }], []],
    ["or a listed value", closed, [closed, { enum: ["all"] }], []],
    ["two closed ones", closed, [closed, line], []],
    ["a new text", closed, [closed, object({ path: text, say: text })], ["free-text /of/1/properties/say"]],
    ["a list or null", list, [list, none], []],
    ["a text or a list of texts", list, [text, list], ["free-text ", "free-text /of/0"]],
    ["a list of texts or a text", text, [text, list], []],
    ["a pattern or null", pattern, [pattern, none], []],
    ["a wider pattern", pattern, [pattern, { ...text, pattern: "^b+$" }], ["more-values /of/1/pattern"]],
    ["a number or a list of texts", { type: "number" }, [{ type: "number" }, list], ["free-text /of/1/items"]],
    ["a value more", { enum: ["a"] }, [{ const: "a" }, { const: "b" }], ["more-values /enum"]],
    ["choices in choices", closed, [{ anyOf: [closed, none] }, { type: "boolean" }], []],
    [
      "a map of numbers or of texts",
      object({}, { additionalProperties: { type: "number" } }),
      [object({}, { additionalProperties: { type: "number" } }), object({}, { additionalProperties: text })],
      ["free-text /of/1/additionalProperties"],
    ],
  ])("%s", (_, before, choices, found) => {
    for (const way of waysOf(before, choices)) expect(way).toEqual(found);
  });

  test.each<[string, JsonValue[]]>([
    ["or anything", [closed, {}]],
    ["or true", [closed, true]],
    ["or any object", [closed, { type: "object" }]],
    ["or any list", [closed, { type: "array" }]],
    ["or an object that is open next to a choice", [{ type: "object", anyOf: [{ required: ["path"] }, none] }, none]],
    ["or a map of anything", [closed, { type: "object", additionalProperties: {} }]],
    ["open in a choice of a choice", [closed, { oneOf: [none, { allOf: [{}] }] }]],
  ])("%s takes anything", (_, choices) => {
    for (const way of waysOf(closed, choices)) expect(way.join()).toContain("anything");
  });
});

test("a whole input that is one of several, or open", () => {
  expect(openings(closed, { anyOf: [closed, {}] })).toContain("anything /anyOf/1");
  expect(openings(closed, {})).toEqual(["anything /additionalProperties"]);
  expect(openings(closed, { type: "object", anyOf: [{ required: ["path"] }] })).toContain(
    "anything /additionalProperties",
  );
  expect(openings(closed, { type: "object", anyOf: [closed, line] })).toEqual([]);
  expect(openings(closed, { ...closed, anyOf: [{ required: ["path"] }, { required: ["position"] }] })).toEqual([]);
  expect(openings(closed, { allOf: [closed] })).toEqual([]);
  expect(openings({ anyOf: [closed, line] }, { anyOf: [closed, line, { type: "object", properties: {} }] })).toEqual(
    expect.arrayContaining(["anything /anyOf/2"]),
  );
});

test("an object that names members and also accepts others is an opening if it was closed, and none as a new value", () => {
  const named = { type: "object", properties: { path: text } };
  const choices = { anyOf: [closed, named] };
  expect(openings(object({ x: closed }), object({ x: choices }))).toContain(
    "anything /properties/x/additionalProperties",
  );
  expect(
    openings(object({ x: text }), object({ x: { anyOf: [text, { ...named, properties: { n: none } }] } })),
  ).toEqual([]);
});

test("what takes unknown members or elements is an opening, and anything is not said of what does not", () => {
  const simple: JsonValue[] = [
    closed,
    object({ n: { type: "integer" } }),
    { type: "object" },
    object({}, { additionalProperties: { type: "integer" } }),
    list,
    { type: "array", items: { type: "integer" } },
    { type: "array" },
    none,
    {},
  ];
  const wrapped = simple.flatMap((one) => [{ anyOf: [one, none] }, { allOf: [one] }, { oneOf: [{ anyOf: [one] }] }]);
  const pairs = simple.flatMap((one, at) => simple.slice(at + 1).map((two) => ({ anyOf: [{ oneOf: [one] }, two] })));
  const unknown: JsonValue[] = [{ other: "x" }, { other: {} }, { n: 1, other: {} }, [{}], [[1]]];
  const probes = [...unknown, { n: {} }, { path: {}, position: 1 }, [1, "a"], ["a"], "a", 1.5];
  const taken = new Map<JsonValue, Set<JsonValue>>();
  const takenBy = (schema: JsonValue): Set<JsonValue> => {
    const known =
      taken.get(schema) ?? new Set(probes.filter((probe) => acceptsValue(schema, probe).verdict === "accepts"));
    taken.set(schema, known);
    return known;
  };
  const wrong = [...simple, ...wrapped].flatMap((before) =>
    [...simple, ...wrapped, ...pairs].flatMap((after) => {
      const isNew = (probe: JsonValue) => takenBy(after).has(probe) && !takenBy(before).has(probe);
      const found = openings(object({ x: before }), object({ x: after }));
      const isMissed = unknown.some(isNew) && found.length === 0;
      const isFalse = found.some((row) => row.startsWith("anything")) && !probes.some(isNew);
      return isMissed || isFalse ? [{ before, after, isMissed, found }] : [];
    }),
  );
  expect(wrong).toEqual([]);
});
