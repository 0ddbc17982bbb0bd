import { scope, type } from "arktype";
import { Schema } from "effect";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type LibrarySchema, type SchemaView, schemaWriter, type WrittenSchema } from "../../src/index.ts";

const answer = (schema: unknown, view: SchemaView = "input"): WrittenSchema | undefined =>
  schemaWriter(schema as LibrarySchema, view)?.write();
const write = (schema: unknown, view?: SchemaView): unknown => {
  const written = answer(schema, view);
  return written?.type === "written" ? written.schema : written;
};
const isWhole = (schema: unknown): boolean | undefined => schemaWriter(schema as LibrarySchema, "input")?.isWhole();

describe("schemaWriter", () => {
  test("writes what a schema accepts, what it returns, and what its own method writes", () => {
    const schema = z.object({ limit: z.number().default(10) });
    expect(write(schema)).not.toHaveProperty("required");
    expect(write(schema, "output")).toMatchObject({ required: ["limit"] });
    expect(write(schema, "to-json-schema")).toEqual(JSON.parse(JSON.stringify(schema.toJSONSchema())));
    expect(isWhole(schema)).toBe(true);
  });

  test("returns nothing for a schema without that view", () => {
    expect(write({ "~standard": { version: 1, vendor: "x" } })).toBeUndefined();
    expect(write({ "~standard": { version: 1, vendor: "x", jsonSchema: { input: "text" } } })).toBeUndefined();
    expect(write(type("string"), "to-json-schema")).toBeUndefined();
  });

  test("calls a library with its own object and the target", () => {
    const jsonSchema = {
      calls: [] as unknown[],
      input(options: object) {
        this.calls.push(options);
        return true;
      },
    };
    expect(write({ "~standard": { version: 1, vendor: "x", jsonSchema } })).toBe(true);
    const target = { target: "draft-2020-12" };
    expect(jsonSchema.calls).toEqual([target, target]);
  });

  test("accepts an answer only if it is the same twice, and the same as earlier answers", () => {
    let type = "string";
    const later = writing(() => ({ type }));
    expect(write(later)).toEqual({ type: "string" });
    type = "number";
    expect(answer(later)).toEqual({ type: "unstable" });
    expect(write(later, "output")).toEqual({ type: "number" });
    type = "string";
    expect(write(later)).toEqual({ type: "string" });
    expect(answer(z.string().default(() => crypto.randomUUID()))).toEqual({ type: "unstable" });
    expect(write(z.string().default("x"))).toMatchObject({ default: "x" });
  });

  test("returns a copy, which no later change of the answer reaches", () => {
    const shared = { type: "string" };
    const copy = write(writing(() => shared));
    shared.type = "number";
    expect(copy).toEqual({ type: "string" });
  });

  test.each<[name: string, answered: () => unknown, message: RegExp]>([
    ["a promise", async () => ({}), /answered a Promise/],
    ["a promise that is rejected", () => Promise.reject(new Error("no")), /answered a Promise/],
    ["an array", () => [], /answered an array/],
    ["null", () => null, /answered null/],
    ["a text", () => "{}", /answered \{\}/],
    ["a Map", () => ({ enum: new Map() }), /enum/],
    ["a cycle", cyclic, /contains itself/],
    ["a bigint", () => ({ minimum: 1n }), /BigInt/],
    ["nothing, and throws", () => JSON.parse("{"), /JSON/],
  ])("says why there is no JSON Schema where the library answers %s", (_name, answered, message) => {
    const cause = expect.objectContaining({ message: expect.stringMatching(message) });
    expect(answer(writing(answered))).toEqual({ type: "failed", cause });
  });

  test("asks a ~standard that changes again", () => {
    const [text, number] = [z.string(), z.number()];
    for (const other of [number["~standard"], undefined, {}, { jsonSchema: 1 }]) {
      let reads = 0;
      const get = () => (reads++ < 2 ? text["~standard"] : other);
      expect(["unstable", "failed"]).toContain(answer(Object.defineProperty({}, "~standard", { get }))?.type);
    }
  });

  test("writes an answer of a hundred thousand levels", () => {
    let deep: unknown = true;
    for (let level = 0; level < 100_000; level++) deep = { not: deep };
    expect(answer(writing(() => deep))?.type).toBe("written");
  });
});

describe("Effect", () => {
  const effect = (schema: Schema.Top): LibrarySchema =>
    Schema.toStandardJSONSchemaV1(Schema.toStandardSchemaV1(schema as never)) as never;
  const instance = Schema.instanceOf(URLSearchParams);
  const sentAsText = Schema.String.pipe(
    Schema.decodeTo(instance as never, { decode: (() => instance) as never, encode: (() => "") as never }),
  );

  test.each([
    ["an instance of a class", instance],
    ["a member of a list", Schema.Struct({ a: Schema.Array(Schema.Union([instance, Schema.String])) })],
    ["a value behind a reference", Schema.Tuple([Schema.suspend(() => instance)])],
    ["a value in a record", Schema.Record(Schema.String, instance)],
    ["a unique symbol", Schema.UniqueSymbol(Symbol.for("a"))],
  ])("%s is left out of the JSON Schema, and so it is not whole", (_name, schema) => {
    expect(isWhole(effect(schema))).toBe(false);
  });

  test.each([
    ["any JSON", Schema.Json],
    ["a date, which is sent as a text", Schema.Struct({ at: Schema.Date })],
    ["a map, which is sent as a list", Schema.ReadonlyMap(Schema.String, Schema.Number)],
    ["a class of Effect", class Order extends Schema.Class<Order>("Order")({ id: Schema.String }) {}],
  ])("%s is complete", (_name, schema) => {
    expect(isWhole(effect(schema as never))).toBe(true);
  });

  test("the encoded side counts for the input, and the decoded side for the output", () => {
    const schema = effect(sentAsText);
    expect([schemaWriter(schema, "input")?.isWhole(), schemaWriter(schema, "output")?.isWhole()]).toEqual([
      true,
      false,
    ]);
    expect(write(schema)).toMatchObject({ type: "string" });
  });

  test("a schema without a syntax tree tells nothing, and counts as whole", () => {
    expect(isWhole({ "~standard": { version: 1, vendor: "effect", jsonSchema: { input: () => true } } })).toBe(true);
  });
});

function cyclic(): object {
  const schema: { not?: object } = {};
  schema.not = schema;
  return schema;
}

/** Returns a schema whose library returns this value for both sides. */
function writing(input: () => unknown): unknown {
  return { "~standard": { version: 1, vendor: "x", jsonSchema: { input, output: input } } };
}

describe("ArkType", () => {
  test.each([
    ["a Date", type("Date")],
    ["a bigint", type({ a: "bigint" })],
    ["a symbol", type("symbol[]")],
    ["undefined", type({ a: "string|undefined" })],
    ["a Map", type("Map")],
    ["a bigint that is given", type({ a: type.unit(3n) })],
    ["two patterns at once", type(/^a/).and(/b$/)],
    ["a key that is a symbol", type({ [Symbol("key")]: "string" } as never)],
    ["a date in a range", type("Date > d'2020-01-01'")],
  ])("%s is left out of the JSON Schema, and so it is not whole", (_name, schema) => {
    expect(isWhole(schema)).toBe(false);
  });

  test.each([
    ["an unknown value", type({ a: "unknown" })],
    ["a refinement", type("string").narrow(() => true)],
    ["a transformation of its input", type("string.numeric.parse")],
    ["texts, numbers, lists", type({ a: "string", "b?": "number.integer[]", c: "'x'|'y'" })],
  ])("%s is complete", (_name, schema) => {
    expect(isWhole(schema)).toBe(true);
  });

  const list = (): { readonly [name: string]: unknown } =>
    scope({ node: { value: "string", "next?": "node" }, tree: { kids: "tree[]", "leaf?": "node" } }).export() as never;

  test("a recursive schema is one text, however many schemas were made before it", () => {
    const first = list();
    type({ unrelated: { a: "1|2|3" } });
    const second = list();
    for (const name of ["node", "tree"]) expect(write(second[name])).toEqual(write(first[name]));
    expect(write(first["node"])).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $ref: "#/$defs/intersection1",
      $defs: {
        intersection1: {
          type: "object",
          properties: { value: { type: "string" }, next: { $ref: "#/$defs/intersection1" } },
          required: ["value"],
        },
      },
    });
    expect(write(first["tree"])).not.toEqual(write(first["node"]));
  });

  /** Returns a schema with ArkType's results. */
  const answering = (answer: unknown): LibrarySchema => ({
    "~standard": { version: 1, vendor: "arktype", jsonSchema: { input: () => answer } },
  });

  test("definitions are numbered by their first reference, members in the order of their names", () => {
    const a = { type: "string" };
    const b = { items: [{ $ref: "#/$defs/union9" }] };
    const answer = {
      properties: { z: { $ref: "#/$defs/union9" }, y: { $ref: "#/$defs/union7" } },
      $defs: { union9: a, union7: b },
    };
    expect(write(answering(answer))).toEqual({
      properties: { z: { $ref: "#/$defs/union2" }, y: { $ref: "#/$defs/union1" } },
      $defs: { union2: a, union1: { items: [{ $ref: "#/$defs/union2" }] } },
    });
    expect(answer.properties.z.$ref).toBe("#/$defs/union9");
  });

  test("other names, values that are data, and references that lead elsewhere stay", () => {
    const answer = {
      anyOf: [{ $ref: "#/$defs/Invoice" }, { $ref: "#/$defs/Invoice" }, { $ref: "#" }, true],
      const: { $ref: "#/$defs/union7" },
      $defs: { Invoice: { type: "string" }, "a/b": { type: "null" } },
    };
    expect(write(answering(answer))).toEqual(answer);
    expect(write(answering(true))).toBe(true);
    expect(write(answering({ $defs: [] }))).toEqual({ $defs: [] });
  });
});
