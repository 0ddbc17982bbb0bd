import type { JsonValue } from "@agentprint/canonical-json/json-value";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import traverse from "json-schema-traverse";
import { describe, expect, test } from "vitest";
import {
  JsonSchemaError,
  keywordsOf,
  SchemaDocument,
  schemaSlots,
  type WalkOptions,
  walkSchemas,
} from "../src/index.ts";

function pointersOf(schema: JsonValue, options?: WalkOptions): string[] {
  return [...walkSchemas(new SchemaDocument(schema), options)].map(({ pointer }) => pointer);
}

/** Keywords that json-schema-traverse, ajv's walker, does not know. */
const YOUNGER = new Set([
  ..."prefixItems dependentSchemas unevaluatedItems unevaluatedProperties contentSchema".split(" "),
]);
const NAMES = keywordsOf()
  .map(({ name }) => name)
  .filter((name) => !YOUNGER.has(name));

/** Objects whose keywords hold schemas, lists of schemas, objects of schemas, or any other values. */
const { schema } = fc.letrec<{ schema: JsonValue; value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: "medium" },
    fc.constantFrom<JsonValue>(true, false, null, 1, "a"),
    tie("schema"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a/b", "~", "", "not", "properties", "x"), tie("value"), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
  schema: fc.dictionary(fc.constantFrom(...NAMES, "x-note"), tie("value"), {
    minKeys: 1,
    maxKeys: 6,
    noNullPrototype: true,
  }),
}));

describe("the walk", () => {
  test("finds the schemas that the walker of ajv finds", () => {
    let most = 0;
    fc.assert(
      fc.property(schema, (root) => {
        const expected: string[] = [];
        traverse(root as traverse.SchemaObject, { cb: (_, pointer) => void expected.push(pointer) });
        const found = [...walkSchemas(new SchemaDocument(root))].filter(({ value }) => typeof value === "object");
        const undeclared = found.filter(({ dialect }) => dialect === undefined || dialect === "unknown");
        expect(found.length).toBe(undeclared.length);
        expect(found.map(({ pointer }) => pointer).sort()).toEqual(expected.sort());
        most = Math.max(most, found.length);
      }),
      { numRuns: runs(3000) },
    );
    expect(most).toBeGreaterThan(8);
  });

  test("visits each schema once, parents first, and finds its value at its pointer", () => {
    fc.assert(
      fc.property(schema, (root) => {
        const document = new SchemaDocument(root);
        const seen = new Set<string>();
        for (const { pointer, value } of walkSchemas(document)) {
          expect(seen.has(pointer)).toBe(false);
          expect([...seen].filter((earlier) => earlier.startsWith(`${pointer}/`))).toEqual([]);
          seen.add(pointer);
          expect(document.at(pointer)).toBe(value);
        }
      }),
    );
  });

  test("goes into every keyword that contains schemas", () => {
    const root = {
      prefixItems: [true],
      dependentSchemas: { a: true },
      dependencies: { a: true, b: ["a"], c: {} },
      unevaluatedItems: true,
      unevaluatedProperties: {},
      contentSchema: {},
      properties: { properties: { properties: { a: {} } } },
    };
    expect(pointersOf(root)).toEqual([
      "",
      "/prefixItems/0",
      "/dependentSchemas/a",
      "/dependencies/a",
      "/dependencies/c",
      "/unevaluatedItems",
      "/unevaluatedProperties",
      "/contentSchema",
      "/properties/properties",
      "/properties/properties/properties/a",
    ]);
  });

  test("reads each schema in its own draft, or all in one", () => {
    const inside = { prefixItems: [{}], definitions: { a: {} }, $defs: { a: {} }, if: {} };
    const root = {
      $schema: "http://json-schema.org/draft-04/schema#",
      not: inside,
      anyOf: [{ ...inside, $schema: "https://json-schema.org/draft/2020-12/schema" }],
      additionalProperties: { $schema: "https://example.com/mine", if: {} },
    };
    expect(pointersOf(root)).toEqual([
      "",
      "/not",
      "/anyOf/0",
      "/additionalProperties",
      "/not/definitions/a",
      "/anyOf/0/prefixItems/0",
      "/anyOf/0/definitions/a",
      "/anyOf/0/$defs/a",
      "/anyOf/0/if",
      "/additionalProperties/if",
    ]);
    expect(pointersOf(root, { draft: 7 })).toContain("/not/if");
    expect(pointersOf(root, { draft: 7 })).not.toContain("/anyOf/0/prefixItems/0");
    expect(pointersOf({ items: [{}, {}] }, { draft: 2020 })).toEqual([""]);
    expect(pointersOf({ items: [{}, {}] })).toEqual(["", "/items/0", "/items/1"]);
  });

  test.each([
    [true, [""]],
    [null, []],
    [[{}], []],
    ["a", []],
  ])("of %j visits %j", (root, pointers) => {
    expect(pointersOf(root as JsonValue)).toEqual(pointers);
  });

  test("treats members named __proto__ and constructor like any other member", () => {
    const root = JSON.parse('{"properties":{"__proto__":{"not":{}},"constructor":true},"__proto__":{"not":{}}}');
    expect(pointersOf(root)).toEqual([
      "",
      "/properties/__proto__",
      "/properties/constructor",
      "/properties/__proto__/not",
    ]);
  });

  test("throws beyond its limit, and does not use the call stack", () => {
    let deep: JsonValue = {};
    for (let i = 0; i < 100_000; i++) deep = { not: deep };
    const walk = (maxDepth?: number): number => {
      let count = 0;
      for (const _ of walkSchemas(new SchemaDocument(deep), maxDepth === undefined ? {} : { maxDepth })) count++;
      return count;
    };
    expect(walk(Number.POSITIVE_INFINITY)).toBe(100_001);
    expect(() => walk()).toThrow("expected at most 1000 schemas inside one another");
    expect(() => walk(2)).toThrow(JsonSchemaError);
    expect(() => walk(2)).toThrow(
      expect.objectContaining({ name: "JsonSchemaError", code: "too-deep", path: "/not/not/not" }),
    );
  });
});

test("a slot has the value where a schema is expected, even when the value is not a schema", () => {
  const found = [
    ...schemaSlots({ not: 1, allOf: [null, {}], anyOf: 2, $defs: { a: "b" }, dependencies: { a: ["b"] } }),
  ];
  expect(found.map(({ keyword, key, value }) => [keyword.name, key, value])).toEqual([
    ["not", undefined, 1],
    ["allOf", 0, null],
    ["allOf", 1, {}],
    ["$defs", "a", "b"],
    ["dependencies", "a", ["b"]],
  ]);
});
