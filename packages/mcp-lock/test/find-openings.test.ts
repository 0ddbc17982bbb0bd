import type { JsonObject, JsonValue } from "@agentprint/canonical-json";
import { StepBudget } from "@agentprint/schema-diff";
import { answersOf } from "@agentprint/testing/lock/offer";
import { describe, expect, test } from "vitest";
import { findOpenings } from "../src/drift/find-openings.ts";
import { checkLock, createLock, driftFindings } from "../src/index.ts";

const text = { type: "string" };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...more,
});
const openings = (before: JsonValue, after: JsonValue, steps = 1_000_000): string[] =>
  findOpenings(before, after, new StepBudget(steps)).map(({ kind, pointer }) => `${kind} ${pointer}`);

describe("a new parameter", () => {
  const added = (schema: JsonValue, more: JsonObject = {}): string[] =>
    openings(object({}, more), object({ x: schema }, more)).map((row) => row.replace(" /properties/x", ""));
  const defs = {
    $defs: { note: text, mode: { enum: ["a"] }, loop: object({ next: { $ref: "#/$defs/loop" }, say: text }) },
  };

  test.each<[JsonValue, JsonObject?]>([
    [text],
    [{ type: ["string", "null"] }],
    [{ ...text, minLength: 40 }],
    [{ ...text, maxLength: 37 }],
    [{ ...text, pattern: "" }],
    [{ ...text, pattern: "^[\\s\\S]*$" }],
    [{ type: "array", items: text }],
    [{ type: "array", prefixItems: [{ type: "integer" }, text], items: { type: "integer" } }],
    [object({ deep: object({ deeper: text }) })],
    [object({}, { additionalProperties: text })],
    [object({}, { additionalProperties: { type: "integer" } })],
    [object({}, { patternProperties: { "^a": text } })],
    [{ anyOf: [{ type: "null" }, text] }],
    [{ oneOf: [{ enum: ["a"] }, text] }],
    [{ allOf: [text, { type: ["string", "integer"] }] }],
    [{ allOf: [object({ a: text }), object({ b: { type: "integer" } })] }],
    [{ $ref: "#/$defs/note" }, defs],
    [{ $ref: "#/$defs/loop" }, defs],
  ])("takes free text: %j", (schema, more) => {
    expect(added(schema, more)).toEqual(["free-text"]);
  });

  test.each<[JsonValue, JsonObject?]>([
    [true],
    [{}],
    [{ description: "Anything" }],
    [{ type: "object" }],
    [{ type: "object", properties: {} }],
    [{ type: "object", properties: { a: text }, additionalProperties: true }],
    [{ type: "array" }],
    [{ type: "array", items: {} }],
    [object({ inner: {} })],
    [{ anyOf: [{ type: "null" }, {}] }],
    [{ $ref: "https://schemas.example/a.json" }],
    [{ $ref: "#/$defs/none" }, defs],
  ])("takes anything: %j", (schema, more) => {
    expect(added(schema, more)).toEqual(["anything"]);
  });

  test.each<[JsonValue, JsonObject?]>([
    [false],
    [{ type: "boolean" }],
    [{ type: "integer" }],
    [{ enum: ["a", "b"] }],
    [{ const: "a" }],
    [{ ...text, maxLength: 36 }],
    [{ ...text, pattern: "^[a-z]{2}$" }],
    [{ ...text, format: "email" }],
    [{ type: "array", items: { enum: ["a"] } }],
    [object({ a: { type: "integer" } })],
    [{ type: "object", properties: { a: { type: "integer" } } }],
    [object({}, { additionalProperties: { type: "integer" }, propertyNames: { enum: ["a"] } })],
    [{ allOf: [text, { enum: ["a"] }] }],
    [{ $ref: "#/$defs/mode" }, defs],
  ])("takes neither: %j", (schema, more) => {
    expect(added(schema, more)).toEqual([]);
  });

  test("is found inside of objects, lists, choices and behind references", () => {
    const item = (inner: JsonObject): JsonObject => ({
      ...object({
        list: { type: "array", items: object(inner) },
        choice: { anyOf: [{ type: "null" }, object(inner)] },
        named: { $ref: "#/$defs/named" },
      }),
      $defs: { named: object(inner) },
    });
    expect(openings(item({}), item({ note: text })).sort()).toEqual([
      "free-text /$defs/named/properties/note",
      "free-text /properties/choice/anyOf/1/properties/note",
      "free-text /properties/list/items/properties/note",
    ]);
    const when = (inner: JsonObject): JsonObject => ({
      ...object({}),
      if: { required: ["a"] },
      else: { properties: inner },
    });
    expect(openings(when({}), when({ note: text }))).toEqual(["free-text /else/properties/note"]);
    expect(openings(object({}), when({ note: text }))).toEqual(["free-text /else/properties/note"]);
  });
});

describe("a known place", () => {
  const at = (before: JsonValue, after: JsonValue): string[] =>
    openings(object({ x: before }), object({ x: after })).map((row) => row.replace(" /properties/x", " "));

  test.each<[JsonValue, JsonValue, string[]]>([
    [{ type: "number" }, { type: ["number", "string"] }, ["free-text "]],
    [text, {}, ["anything "]],
    [text, { type: ["string", "object"] }, ["anything "]],
    [text, { anyOf: [text, { type: "array", items: text }] }, []],
    [{ enum: ["a"] }, { enum: ["a", "b"] }, ["more-values /enum"]],
    [{ enum: ["a"] }, text, ["more-values /enum"]],
    [{ const: "a" }, { enum: ["a", "b"] }, ["more-values /const"]],
    [{ anyOf: [{ const: "a" }] }, { anyOf: [{ const: "a" }, { const: "b" }] }, ["more-values "]],
    [{ ...text, pattern: "^a+$" }, { ...text, pattern: "^[ab]+$" }, ["more-values /pattern"]],
    [{ ...text, pattern: "^a+$" }, text, ["more-values /pattern"]],
    [{ ...text, pattern: "^(?=a)a+$" }, { ...text, pattern: "^a+$" }, ["unproven-values /pattern"]],
    [{ ...text, pattern: "^a+$" }, { ...text, pattern: "^(?=a)a+$" }, ["unproven-values /pattern"]],
    [{ ...text, pattern: "^(?=a)a+$", maxLength: 8 }, { ...text, pattern: "^a+$" }, ["more-values /maxLength"]],
    [{ ...text, format: "email" }, text, ["more-values /format"]],
    [{ ...text, format: "email" }, { ...text, format: "uri" }, ["unproven-values /format"]],
    [{ ...text, format: "email" }, { ...text, pattern: "^.+@.+$" }, ["unproven-values /format"]],
    [{ ...text, pattern: "^a+$" }, { ...text, maxLength: 8 }, ["more-values /pattern"]],
    [{ ...text, pattern: "^a{1,4}$" }, { ...text, maxLength: 8 }, ["more-values /pattern"]],
    [{ ...text, maxLength: 8 }, { ...text, pattern: "^a{1,4}$" }, []],
    [{ ...text, pattern: "^a+$" }, { type: "integer" }, []],
    [{ ...text, pattern: "^a+$" }, { enum: ["a", "b"] }, ["more-values /pattern"]],
    [{ ...text, format: "email" }, { const: "me" }, ["unproven-values /format"]],
    [{ type: "integer" }, { type: "array", items: text }, ["free-text /items"]],
    [{ ...text, maxLength: 8 }, { ...text, maxLength: 9 }, ["more-values /maxLength"]],
    [object({}), object({}, { additionalProperties: true }), ["anything ", "anything /additionalProperties"]],
    [object({}), object({}, { additionalProperties: text }), ["free-text /additionalProperties"]],
  ])("lets more through: %j → %j", (before, after, found) => {
    expect(at(before, after)).toEqual(found);
  });

  test.each<[JsonValue, JsonValue]>([
    [{ enum: ["a", "b"] }, { enum: ["b"] }],
    [{ enum: ["a", "b"] }, { anyOf: [{ const: "b" }, { const: "a" }] }],
    [
      { ...text, pattern: "^[ab]+$" },
      { ...text, pattern: "^a+$" },
    ],
    [{ ...text, pattern: "^[ab]+$" }, { enum: ["a", "b"] }],
    [{ ...text, pattern: "^[ab]+$" }, { anyOf: [{ const: "a" }, { const: "b" }] }],
    [{ ...text, maxLength: 8 }, { allOf: [{ const: "a" }] }],
    [text, { ...text, format: "email" }],
    [
      { ...text, maxLength: 9 },
      { ...text, maxLength: 8 },
    ],
    [{}, text],
    [{ type: "boolean" }, { type: ["boolean", "null"] }],
    [{ anyOf: [text, { type: "null" }] }, { anyOf: [{ type: "null" }, text] }],
    [object({ a: text }), object({})],
  ])("lets nothing more through: %j → %j", (before, after) => {
    expect(at(before, after)).toEqual([]);
  });
});

test("an input that became open is an opening, and one that stays open is not", () => {
  const open = (properties: JsonObject): JsonObject => ({ type: "object", properties });
  expect(openings(object({ a: text }), open({ a: text }))).toEqual(["anything /additionalProperties"]);
  expect(openings(open({ a: text }), open({ a: text }))).toEqual([]);
  expect(openings(open({ a: text }), open({ a: text, b: text }))).toEqual(["free-text /properties/b"]);
});

test("without steps a new parameter counts as open, and a hostile schema ends", () => {
  expect(openings(object({}), object({ x: { type: "integer" } }), 0)).toEqual(["anything /properties/x"]);
  const doubled = Object.fromEntries(
    Array.from({ length: 200 }, (_, i) => [
      `d${i}`,
      { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
    ]),
  );
  const hostile = object({ x: { $ref: "#/$defs/d0" } }, { $defs: { ...doubled, d200: text } });
  expect(openings(object({}), hostile).length).toBe(1);
  const chain = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`d${i}`, { $ref: `#/$defs/d${i + 1}` }]));
  expect(openings(object({}), object({ x: { $ref: "#/$defs/d0" } }, { $defs: chain }))).toEqual([
    "anything /properties/x",
  ]);
});

test("a schema that many parameters share is read only as often as the limit allows", () => {
  const values = Array.from({ length: 5000 }, (_, i) => `value${i}`);
  const shared = (count: number) => {
    const properties = (schema: JsonValue) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, schema] as const));
    const before = object({ first: { enum: ["a"] }, ...properties({ enum: ["a"] }) });
    const $defs = { values: { enum: values } };
    return openings(before, object({ first: { enum: ["b"] }, ...properties({ $ref: "#/$defs/values" }) }, { $defs }));
  };
  expect(shared(10)).toEqual(["more-values /$defs/values/enum", "more-values /properties/first/enum"]);
  expect(shared(1000)).toEqual(["more-values /$defs/values/enum"]);
});

test("the finding is at the change that accepts more, in addition to the one about callers that break", () => {
  const tool = (inputSchema: JsonObject) => answersOf([{ name: "send", inputSchema }]);
  const rows = (before: JsonObject, after: JsonObject): string[] =>
    driftFindings(checkLock(createLock({ mail: tool(before) }), { mail: tool(after) }))
      .filter(({ isRemark }) => !isRemark)
      .map(({ rule, place }) => `${rule} ${place.pointer}`);
  const to = "/inputSchema/properties/to";
  expect(rows(object({ to: { enum: ["a"] } }), object({ to: { enum: ["a", "b"] } }))).toEqual([
    `mcp/values-widened ${to}/enum/1`,
  ]);
  expect(rows(object({ to: text }), object({ to: text, cc: text }, { required: ["cc"] }))).toContain(
    "mcp/free-text-added /inputSchema/properties/cc",
  );
  const $defs = { some: { enum: ["a"] }, all: text };
  const named = (name: string) => object({ to: { $ref: `#/$defs/${name}` } }, { $defs });
  expect(rows(named("some"), named("all"))).toEqual([`mcp/values-widened ${to}/$ref`]);
});
