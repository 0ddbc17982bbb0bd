import { existsSync, readFileSync } from "node:fs";
import { toStandardJsonSchema as valibotToStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Schema } from "effect";
import { Type } from "typebox";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod-3.25";
import { z as z41 } from "zod-4.1";
import { z as z42 } from "zod-4.2";
import {
  CapabilityError,
  computeFullCapabilityLink,
  createCapabilitySnapshot,
  createRegisteredAgent,
  type HashOptions,
  hashToolSpecStatic,
  hydrateToolSpec,
  jsonSchema,
  parseCapabilitySnapshot,
  type StandardSchema,
  tool,
} from "../src/index.ts";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** Two different schemas that were made in the same way. */
type Pair = readonly [StandardSchema, StandardSchema];
const pair = <S>(make: (property: "a" | "b") => S): Pair => [make("a"), make("b")] as never;

interface Row {
  readonly library: string;
  readonly schemas: Pair | undefined;
  /** The README's remedy if the two schemas have the same hash. */
  readonly remedy?: { readonly schemas?: Pair; readonly options?: HashOptions };
}

const standard: HashOptions = { schemaSource: "standard-json-schema" };
const rows: readonly Row[] = [
  { library: "zod 4.6", schemas: pair((key) => z.object({ [key]: z.string() })) },
  { library: "zod 4.2", schemas: pair((key) => z42.object({ [key]: z42.string() })) },
  {
    library: "zod 4.1",
    schemas: pair((key) => z41.object({ [key]: z41.string() })),
    remedy: { schemas: pair((key) => jsonSchema(z41.toJSONSchema(z41.object({ [key]: z41.string() })))) },
  },
  {
    library: "zod/mini",
    schemas: pair((key) => mini.object({ [key]: mini.string() })),
    remedy: { schemas: pair((key) => jsonSchema(mini.toJSONSchema(mini.object({ [key]: mini.string() })))) },
  },
  {
    library: "zod 3.25",
    schemas: pair((key) => z3.object({ [key]: z3.string() })),
    remedy: { schemas: pair((key) => z.object({ [key]: z.string() })) },
  },
  {
    library: "valibot 1.5",
    schemas: pair((key) => v.object({ [key]: v.string() })),
    remedy: { schemas: pair((key) => valibotToStandardJsonSchema(v.object({ [key]: v.string() }))), options: standard },
  },
  { library: "arktype 2.2", schemas: pair((key) => type({ [key]: "string" } as never)), remedy: { options: standard } },
  {
    library: "effect 4.1",
    schemas: pair((key) => Schema.toStandardSchemaV1(Schema.Struct({ [key]: Schema.String }))),
    remedy: {
      schemas: pair((key) =>
        Schema.toStandardJSONSchemaV1(Schema.toStandardSchemaV1(Schema.Struct({ [key]: Schema.String }))),
      ),
      options: standard,
    },
  },
  {
    library: "typebox 1.4",
    schemas: undefined,
    remedy: { schemas: pair((key) => jsonSchema(Type.Object({ [key]: Type.String() }))) },
  },
];

const handler = (): number => 1;
const hashes = ([first, second]: Pair, options: HashOptions = {}): string[] =>
  [first, second].map((inputSchema) => tool({ name: "s", inputSchema, handler }).computeStaticHash(options));

describe.each(rows)("$library", ({ library, schemas, remedy }) => {
  test("is hashed as the README says", () => {
    const line = README.split("\n").find((text) => text.startsWith(`| ${library} `)) ?? "";
    const [, , hashedAs, advice] = line.split("|").map((cell) => cell.trim());
    if (schemas === undefined) {
      expect(hashedAs).toBe("refused");
      expect(() => tool({ name: "s", inputSchema: Type.Object({}) as never, handler })).toThrow(CapabilityError);
    } else {
      const [first, second] = hashes(schemas);
      expect(hashedAs).toBe(first === second ? "vendor and version only" : "its JSON Schema");
      const agent = createRegisteredAgent({
        agentId: "a",
        name: "A",
        root: tool({ name: "s", inputSchema: schemas[0], handler }),
      });
      expect(agent.opaqueSchemas).toEqual(first === second ? ["s"] : []);
    }
    expect(advice === "").toBe(remedy === undefined);
  });

  test.skipIf(remedy === undefined)("have different hashes with the remedy of the README", () => {
    const options = { ...remedy?.options, requireTransparentSchemas: true };
    expect(new Set(hashes((remedy?.schemas ?? schemas) as Pair, options)).size).toBe(2);
    if (schemas) expect(() => hashes(schemas, { requireTransparentSchemas: true })).toThrow(CapabilityError);
  });

  test("has one digest in the link and in the snapshot, which has the hashed schema", async () => {
    const options = remedy ? { ...remedy.options, requireTransparentSchemas: true } : standard;
    const [first, second] = (remedy?.schemas ?? schemas) as Pair;
    const wires = [];
    for (const inputSchema of [first, second]) {
      const root = tool({ name: "s", inputSchema, handler });
      const agent = createRegisteredAgent({ agentId: "a", name: "A", root }, options);
      const snapshot = createCapabilitySnapshot(await computeFullCapabilityLink({ agent, ctx: { env: {} } }));
      const stored = parseCapabilitySnapshot(JSON.parse(JSON.stringify(snapshot)));
      const [wire] = stored.tools;
      expect(hashToolSpecStatic(hydrateToolSpec(wire))).toBe(stored.link.toolRefs[0]?.toolHash);
      wires.push(wire?.inputSchema);
    }
    expect(wires[0]).not.toEqual(wires[1]);
  });
});

test("with zod, the two views of a schema differ", () => {
  const schema = z.object({ limit: z.number().default(10) });
  const t = tool({ name: "s", inputSchema: schema, handler });
  expect(t.computeStaticHash(standard)).not.toBe(t.staticHash);
});

const ORACLE = new URL("../../../../shared/oracle/khora/toolStaticHashZod.json", import.meta.url);
const absent = !existsSync(ORACLE);
const libraries: Readonly<Record<string, unknown>> = {
  "zod 4.6.7": z,
  "zod 4.2.1": z42,
  "zod 3.25.76": z3,
  "valibot 1": v,
};
interface LibraryCase {
  readonly id: string;
  readonly input: { readonly library: string; readonly libraryVersion: string; readonly schemaCode: string };
  readonly expected: { readonly digest: string };
  readonly alternates?: { readonly codeUnit?: { readonly digest: string } };
}

test.skipIf(absent)("../shared/oracle: recorded digests of schemas of these libraries", () => {
  const cases = JSON.parse(absent ? "[]" : readFileSync(ORACLE, "utf8")) as LibraryCase[];
  expect(cases.length).toBeGreaterThan(0);
  for (const { id, input, expected, alternates } of cases) {
    const library = libraries[`${input.library} ${input.libraryVersion}`];
    const inputSchema = new Function("z", "v", `return ${input.schemaCode}`)(library, library) as StandardSchema;
    const t = tool({ name: "s", inputSchema, handler });
    expect(t.computeStaticHash({ sort: "locale" }), id).toBe(expected.digest);
    expect(t.staticHash, id).toBe(alternates?.codeUnit?.digest ?? expected.digest);
  }
});
