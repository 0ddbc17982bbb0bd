import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  createRegisteredAgent,
  evaluateComposable,
  jsonSchema,
  type StandardSchema,
  schemaToHashInput,
  tool,
  toolkit,
  toolSpecCanonicalPayload,
  toolSpecToWire,
} from "../src/index.ts";
import { namedTool } from "./support.ts";

const standard = { vendor: "lib", version: 1, validate: (value: unknown) => ({ value }) };
const writing = (toJSONSchema: () => unknown): StandardSchema => ({ "~standard": standard, toJSONSchema }) as never;

describe("schemaToHashInput", () => {
  test("the JSON Schema of the schema itself", () => {
    expect(schemaToHashInput(writing(() => ({ type: "string" })))).toEqual({ type: "string" });
    expect(schemaToHashInput(writing(() => false))).toBe(false);
  });

  test("a schema may be a function", () => {
    expect(schemaToHashInput(Object.assign(() => 1, { "~standard": standard }))).toEqual({ vendor: "lib", version: 1 });
  });

  test("an opaque schema is hashed as vendor and version, or is an error", () => {
    expect(schemaToHashInput({ "~standard": standard })).toEqual({ vendor: "lib", version: 1 });
    expect(() => schemaToHashInput({ "~standard": standard }, { requireTransparentSchemas: true })).toThrow(
      expect.objectContaining({ code: "opaque-schema", message: expect.stringContaining("jsonSchema(object)") }),
    );
  });

  test("standard-json-schema asks for draft 2020-12 of the input side, and falls back", () => {
    const asked: unknown[] = [];
    const jsonSchemaSide = {
      input(options: unknown) {
        asked.push(this === jsonSchemaSide, options);
        return { const: "input" };
      },
    };
    const both = { "~standard": { ...standard, jsonSchema: jsonSchemaSide }, toJSONSchema: () => ({ const: "own" }) };
    expect(schemaToHashInput(both)).toEqual({ const: "own" });
    expect(schemaToHashInput(both, { schemaSource: "standard-json-schema" })).toEqual({ const: "input" });
    expect(asked.slice(0, 2)).toEqual([true, { target: "draft-2020-12" }]);
    expect(
      schemaToHashInput(
        writing(() => true),
        { schemaSource: "standard-json-schema" },
      ),
    ).toBe(true);
  });

  test("a misspelt option is refused", () => {
    const misspelt = { schemaSource: "standard" as never };
    expect(() =>
      schemaToHashInput(
        writing(() => true),
        misspelt,
      ),
    ).toThrow('received "standard"');
    const t = tool({ name: "t", inputSchema: writing(() => true), handler: () => 1 });
    expect(() => t.computeStaticHash(misspelt)).toThrow(expect.objectContaining({ code: "invalid-argument" }));
    expect(() => t.computeStaticHash({ sort: "Locale" as never })).toThrow(
      expect.objectContaining({ code: "invalid-option" }),
    );
  });

  test("a schema that answers differently the second time has no fingerprint", () => {
    let calls = 0;
    expect(() => schemaToHashInput(writing(() => ({ examples: [calls++] })))).toThrow(
      expect.objectContaining({ code: "unstable-schema", message: expect.stringContaining("must be stable") }),
    );
    expect(schemaToHashInput(writing(() => ({ b: 1, a: calls++ > 0 })))).toEqual({ b: 1, a: true });
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("cannot be represented");
      },
      "cannot be represented",
    ],
    ["answers a Promise", async () => ({}), "a Promise"],
    ["answers undefined", () => undefined, "undefined"],
    ["answers null", () => null, "null"],
    ["answers an array", () => [], "an array"],
    ["answers a new bigint each time", () => ({ maximum: 1n }), "/maximum"],
  ])("toJSONSchema that %s", (_name, toJSONSchema, message) => {
    expect(() => schemaToHashInput(writing(toJSONSchema))).toThrow(
      expect.objectContaining({ code: "schema-failed", message: expect.stringContaining(message) }),
    );
  });

  let changes = 0;
  const bad: [string, StandardSchema][] = [
    ["opaque-schema", { "~standard": standard }],
    ["unstable-schema", writing(() => ({ examples: [changes++] }))],
    ["schema-failed", writing(() => [])],
  ];
  test.each(bad)("%s names the tool, wherever the schema is read", async (code, inputSchema) => {
    const options = { requireTransparentSchemas: true };
    const bare = { code, toolName: undefined };
    expect(() => schemaToHashInput(inputSchema, options)).toThrow(expect.objectContaining(bare));
    const named = { code, toolName: "odd", message: expect.stringContaining('tool "odd": lib schema') };
    const odd = tool({ name: "odd", inputSchema, handler: () => 1 });
    const kit = toolkit([namedTool("a"), odd], { name: "k" });
    const hashing: (() => unknown)[] = [
      () => odd.computeStaticHash(options),
      () => toolSpecCanonicalPayload(odd, options),
      () => toolSpecToWire(odd, options),
      () => createRegisteredAgent({ agentId: "a", name: "A", root: kit }, options),
    ];
    for (const hash of hashing) expect(hash).toThrow(expect.objectContaining(named));
    await expect(evaluateComposable(kit, { env: {} }, options)).rejects.toMatchObject(named);
  });

  test("a JSON Schema that has no canonical text fails with its path and the name of the tool", () => {
    const shared = { maximum: 1n };
    const t = tool({ name: "t", inputSchema: writing(() => shared), handler: () => 1 });
    expect(() => t.staticHash).toThrow(
      expect.objectContaining({ code: "schema-failed", toolName: "t", message: expect.stringContaining("/maximum") }),
    );
  });
});

describe("jsonSchema", () => {
  test.each([
    ["zod", z.object({ a: z.string() })],
    ["valibot", v.object({ a: v.string() })],
    ["valibot", toStandardJsonSchema(v.object({ a: v.string() }))],
    ["arktype", type({ a: "string" })],
  ])("refuses a schema of %s, whose members are no JSON Schema", (vendor, schema) => {
    expect(() => jsonSchema(schema)).toThrow(
      expect.objectContaining({ code: "invalid-schema", message: expect.stringContaining(`a ${vendor} schema`) }),
    );
  });

  test("accepts a JSON Schema with a key ~standard, which is data", () => {
    const schema = { "~standard": { vendor: "v", version: 1 } };
    expect(schemaToHashInput(jsonSchema(schema))).toEqual(schema);
  });

  test.each([[new Date(Number.NaN)], [{ toJSON: () => "text" }], [{ toJSON: () => [] }]])(
    "refuses %j, which writes no JSON Schema",
    (schema) => {
      expect(() => jsonSchema(schema)).toThrow(expect.objectContaining({ code: "invalid-schema" }));
    },
  );

  test("copies and freezes", () => {
    const source = { properties: { a: { type: "string" } } };
    const wrapped = jsonSchema(source);
    source.properties.a.type = "number";
    expect(schemaToHashInput(wrapped)).toEqual({ properties: { a: { type: "string" } } });
    expect(Object.isFrozen((wrapped.toJSONSchema() as typeof source).properties.a)).toBe(true);
  });

  test("keeps an own __proto__", () => {
    const wrapped = jsonSchema(JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'));
    expect(JSON.stringify(wrapped.toJSONSchema())).toBe('{"properties":{"__proto__":{"type":"string"}}}');
  });

  test("takes one nested 20,000 deep, and refuses one of more than a million", () => {
    const nested = (levels: number): object => {
      let deep: object = {};
      for (let level = 1; level < levels; level++) deep = { not: deep };
      return deep;
    };
    const t = tool({ name: "t", inputSchema: jsonSchema(nested(20_000)), handler: () => 1 });
    expect(t.staticHash).toHaveLength(64);
    expect(() => jsonSchema(nested(1_000_001))).toThrow(expect.objectContaining({ code: "invalid-schema" }));
  });
});

describe("jsonSchema", () => {
  test("copies names that Node 24 can misread (nodejs/node#63785)", () => {
    const named = (name: string) => ({ properties: { a: {}, [`a${name}`]: {} } });
    for (let round = 0; round < 20; round++) {
      for (const name of ["\\", "\n", '"']) {
        const schema = jsonSchema(named(name));
        expect(schema.toJSONSchema()).toEqual(named(name));
        expect(schemaToHashInput(schema, { schemaSource: "standard-json-schema" })).toEqual(named(name));
      }
    }
  });
});
