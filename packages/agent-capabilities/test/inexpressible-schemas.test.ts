import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Schema } from "effect";
import { Type } from "typebox";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod-3.25";
import { z as z40 } from "zod-4.0";
import { z as z42 } from "zod-4.2";
import { createRegisteredAgent, jsonSchema, type StandardSchema, tool } from "../src/index.ts";

class Invoice {
  readonly total = 1;
}

const standard = { schemaSource: "standard-json-schema" } as const;
const handler = (): string => "";
const toolOf = (inputSchema: unknown) => tool({ name: "t", inputSchema: inputSchema as StandardSchema, handler });
const effect = (schema: unknown): unknown => Schema.toStandardJSONSchemaV1(Schema.toStandardSchemaV1(schema as never));

const ofZod = (lib: typeof z) => ({
  "an instance of a class": lib.instanceof(Invoice),
  "a custom type": lib.custom(() => true),
  "a date": lib.date(),
  "a bigint": lib.bigint(),
  "a symbol": lib.symbol(),
  undefined: lib.undefined(),
  "a map": lib.map(lib.string(), lib.string()),
  "a set": lib.set(lib.string()),
  NaN: lib.nan(),
  "a transformation of anything": lib.transform(() => 1),
});

const ofValibot = {
  "an instance of a class": v.instance(Invoice),
  "a custom type": v.custom(() => true),
  "a date": v.date(),
  "a bigint": v.bigint(),
  "a symbol": v.symbol(),
  undefined: v.undefined(),
  "a map": v.map(v.string(), v.string()),
  "a set": v.set(v.string()),
  "a file": v.file(),
  "a refinement": v.pipe(
    v.string(),
    v.check((text) => text !== ""),
  ),
  "a pattern with flags": v.pipe(v.string(), v.regex(/a/i)),
};

const ofArkType = {
  "an instance of a class": type.instanceOf(Invoice),
  "a date": type("Date"),
  "a bigint": type("bigint"),
  "a symbol": type("symbol"),
  undefined: type("undefined"),
  "a map": type("Map"),
};

const ofEffect = {
  "an instance of a class": Schema.instanceOf(Invoice),
  "a declaration": Schema.declare((value): value is Invoice => value instanceof Invoice),
  "a unique symbol": Schema.UniqueSymbol(Symbol.for("a")),
};

/** Returns the schema alone and in every place of a larger one. */
const placesOfEffect = (part: Schema.Top): Readonly<Record<string, unknown>> => ({
  alone: part,
  "in a member": Schema.Struct({ a: Schema.String, b: part }),
  "in an optional member": Schema.Struct({ a: Schema.optional(part as never) }),
  "in an array": Schema.Array(part),
  "in a tuple": Schema.TupleWithRest(Schema.Tuple([part]), [Schema.String]),
  "in the rest of a tuple": Schema.TupleWithRest(Schema.Tuple([Schema.String]), [part]),
  "in a union": Schema.Union([Schema.String, part]),
  "in a record": Schema.Record(Schema.String, part),
  "behind a reference": Schema.Array(Schema.suspend(() => part as never)),
  "in an option": Schema.Option(part),
  "in what is sent": part.pipe(
    Schema.decodeTo(Schema.String as never, { decode: (() => "") as never, encode: (() => 1) as never }),
  ),
});

interface Row {
  readonly library: string;
  readonly kind: string;
  readonly schema: unknown;
  readonly options: object;
}
const rows = (library: string, schemas: Readonly<Record<string, unknown>>, options: object, wrap = (s: unknown) => s) =>
  Object.entries(schemas).map(([kind, schema]): Row => ({ library, kind, schema: wrap(schema), options }));

const cannotExpress: readonly Row[] = [
  ...rows("zod 4.6", ofZod(z), {}),
  ...rows("zod 4.6, in a member", ofZod(z), standard, (a) => z.object({ a: (a as z.ZodType).optional() })),
  ...rows("zod 4.2", ofZod(z42 as never), {}),
  ...rows("zod 4.0", ofZod(z40 as never), {}),
  ...rows("zod 3.25", { "an instance of a class": z3.instanceof(Invoice), "a date": z3.date() }, {}),
  ...rows("zod/mini", { "an instance of a class": mini.instanceof(Invoice), "a date": mini.date() }, standard),
  ...rows("valibot", ofValibot, standard, (schema) => toStandardJsonSchema(schema as never)),
  ...rows("arktype", ofArkType, standard),
  ...rows("arktype, in a member", ofArkType, standard, (a) => type({ a: a as never, "b?": "string" })),
  ...Object.entries(ofEffect).flatMap(([kind, part]) =>
    rows(`effect, ${kind}`, placesOfEffect(part as Schema.Top), standard, effect),
  ),
];

test.each(cannotExpress)(
  "$library, $kind: refused where schemas must be transparent, and otherwise refused or named",
  ({ schema, options }) => {
    const made = toolOf(schema);
    expect(() => made.computeStaticHash({ ...options, requireTransparentSchemas: true })).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^(?:opaque-schema|schema-failed)$/) }),
    );
    let named: readonly string[] = ["t"];
    try {
      named = createRegisteredAgent({ agentId: "a", name: "A", root: made }, options).opaqueSchemas;
    } catch (error) {
      expect(error).toMatchObject({ code: "schema-failed", toolName: "t" });
    }
    expect(named).toEqual(["t"]);
  },
);

class Order extends Schema.Class<Order>("Order")({ id: Schema.String }) {}
interface Tree {
  readonly kids: readonly Tree[];
}
const tree: Schema.Codec<Tree> = Schema.Struct({ kids: Schema.Array(Schema.suspend((): Schema.Codec<Tree> => tree)) });

const expresses: readonly Row[] = [
  ...rows("zod 4.6", { anything: z.any(), "what is transformed": z.string().transform(Number) }, standard),
  ...rows(
    "valibot",
    { anything: v.any(), "what is transformed": v.pipe(v.string(), v.transform(Number)) },
    standard,
    (schema) => toStandardJsonSchema(schema as never),
  ),
  ...rows("arktype", { anything: type("unknown"), "what is transformed": type("string.numeric.parse") }, standard),
  ...rows(
    "effect",
    {
      anything: Schema.Unknown,
      JSON: Schema.Json,
      "a class": Order,
      "a recursive schema": tree,
      "a date, sent as a text": Schema.Date,
      "an instance, sent as a text": Schema.String.pipe(
        Schema.decodeTo(Schema.instanceOf(Invoice) as never, {
          decode: (() => 1) as never,
          encode: (() => "") as never,
        }),
      ),
      "a refinement": Schema.String.check(Schema.makeFilter(() => true)),
    },
    standard,
    effect,
  ),
  ...rows(
    "typebox",
    { anything: Type.Unsafe({}), "a refinement": Type.Refine(Type.String(), () => true) },
    {},
    jsonSchema as never,
  ),
];

test.each(expresses)("$library, $kind: is transparent", ({ schema, options }) => {
  const root = toolOf(schema);
  expect(root.computeStaticHash({ ...options, requireTransparentSchemas: true })).toHaveLength(64);
  expect(createRegisteredAgent({ agentId: "a", name: "A", root }, options).opaqueSchemas).toEqual([]);
});

describe("typebox", () => {
  test("a type that JSON Schema cannot express is hashed under TypeBox's name for it", () => {
    const schemas = [
      Type.BigInt(),
      Type.Symbol(),
      Type.Undefined(),
      Type.Void(),
      Type.Function([Type.String()], Type.String()),
      Type.Constructor([Type.String()], Type.String()),
    ];
    const digests = schemas.map((schema) => toolOf(jsonSchema(schema)).staticHash);
    expect(new Set(digests).size).toBe(schemas.length);
  });
});
