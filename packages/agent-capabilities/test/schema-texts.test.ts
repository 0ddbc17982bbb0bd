import { tool as langChainTool } from "@langchain/core/tools";
import { toJsonSchema as langChainJsonSchema } from "@langchain/core/utils/json_schema";
import { tool as openAiTool } from "@openai/agents";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { tool as aiTool, asSchema } from "ai";
import { type } from "arktype";
import { Schema } from "effect";
import fc from "fast-check";
import { Type } from "typebox";
import * as v from "valibot";
import { expect, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod-3.25";
import { z as z40 } from "zod-4.0";
import { z as z41 } from "zod-4.1";
import { z as z42 } from "zod-4.2";
import { fromAiSdkTool } from "../src/adapters/ai-sdk.ts";
import { fromLangChainTool } from "../src/adapters/langchain.ts";
import { fromOpenAiTool } from "../src/adapters/openai.ts";
import { CapabilityError, type HashOptions, jsonSchema, type Tool, tool } from "../src/index.ts";

/** A schema with a text at every place that can have one; `text` numbers the places. */
type Shape =
  | { readonly kind: "string" | "number" | "boolean"; readonly text: string; readonly title: string }
  | { readonly kind: "array"; readonly text: string; readonly title: string; readonly item: Shape }
  | { readonly kind: "object"; readonly text: string; readonly title: string; readonly members: readonly Shape[] };

const words = { text: fc.string({ minLength: 1, maxLength: 12 }), title: fc.string({ minLength: 1, maxLength: 6 }) };
const { shape } = fc.letrec<{ shape: Shape; object: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 2 },
    fc.record({ kind: fc.constantFrom("string" as const, "number" as const, "boolean" as const), ...words }),
    fc.record({ kind: fc.constant("array" as const), ...words, item: tie("shape") }),
    tie("object"),
  ),
  object: fc.record({
    kind: fc.constant("object" as const),
    ...words,
    members: fc.array(tie("shape"), { minLength: 1, maxLength: 3 }),
  }),
}));
const root: fc.Arbitrary<Shape> = fc.record({
  kind: fc.constant("object" as const),
  ...words,
  members: fc.array(shape, { minLength: 1, maxLength: 3 }),
});

/** Returns the number of places that can have text. */
function countPlaces(shape: Shape): number {
  if (shape.kind === "array") return 1 + countPlaces(shape.item);
  return shape.kind === "object" ? shape.members.reduce((sum, member) => sum + countPlaces(member), 1) : 1;
}

function withOtherText(shape: Shape, place: number, part: "text" | "title"): Shape {
  let at = 0;
  const copy = (from: Shape): Shape => {
    const own = at++ === place ? { ...from, [part]: `${from[part]}!` } : from;
    if (own.kind === "array") return { ...own, item: copy(own.item) };
    return own.kind === "object" ? { ...own, members: own.members.map(copy) } : own;
  };
  return copy(shape);
}

const keyed = <Made>(members: readonly Shape[], make: (shape: Shape) => Made): Record<string, Made> =>
  Object.fromEntries(members.map((member, index) => [`m${index}`, make(member)]));

function ofZod4(z: typeof import("zod").z): (shape: Shape) => never {
  const make = (shape: Shape): never => {
    const { kind, text: description, title } = shape;
    const plain =
      kind === "object"
        ? z.object(keyed(shape.members, make))
        : kind === "array"
          ? z.array(make(shape.item))
          : z[kind]();
    return plain.meta({ title }).describe(description) as never;
  };
  return make;
}

function ofZod3(shape: Shape): never {
  const { kind, text } = shape;
  const plain =
    kind === "object"
      ? z3.object(keyed(shape.members, ofZod3))
      : kind === "array"
        ? z3.array(ofZod3(shape.item))
        : z3[kind]();
  return plain.describe(text) as never;
}

const miniScalars = { string: mini.string, number: mini.number, boolean: mini.boolean };

function ofMini(shape: Shape): never {
  const { kind, text: description, title } = shape;
  const plain =
    kind === "object"
      ? mini.object(keyed(shape.members, ofMini))
      : kind === "array"
        ? mini.array(ofMini(shape.item))
        : miniScalars[kind]();
  return plain.check(mini.meta({ title, description }) as never) as never;
}

const valibotScalars = { string: v.string, number: v.number, boolean: v.boolean };

function ofValibot(shape: Shape): never {
  const { kind, text, title } = shape;
  const plain = (
    kind === "object"
      ? v.object(keyed(shape.members, ofValibot))
      : kind === "array"
        ? v.array(ofValibot(shape.item))
        : valibotScalars[kind]()
  ) as v.GenericSchema;
  return v.pipe(plain, v.title(title), v.description(text)) as never;
}

function ofArkType(shape: Shape): never {
  const { kind, text: description, title } = shape;
  const plain =
    kind === "object"
      ? type(keyed(shape.members, ofArkType))
      : kind === "array"
        ? (ofArkType(shape.item) as { array(): { configure(meta: object): never } }).array()
        : type(kind);
  return (plain as { configure(meta: object): never }).configure({ description, title });
}

function ofEffect(shape: Shape): never {
  const { kind, text: description, title } = shape;
  const scalars = { string: Schema.String, number: Schema.Finite, boolean: Schema.Boolean };
  const plain =
    kind === "object"
      ? Schema.Struct(keyed(shape.members, ofEffect))
      : kind === "array"
        ? Schema.Array(ofEffect(shape.item))
        : scalars[kind];
  return (plain as unknown as { annotate(annotations: object): never }).annotate({ description, title });
}

function ofTypeBox(shape: Shape): never {
  const { kind, text: description, title } = shape;
  const options = { description, title };
  if (kind === "object") return Type.Object(keyed(shape.members, ofTypeBox), options) as never;
  if (kind === "array") return Type.Array(ofTypeBox(shape.item), options) as never;
  const scalars = { string: Type.String, number: Type.Number, boolean: Type.Boolean };
  return scalars[kind](options) as never;
}

type Part = "text" | "title";
const both: readonly Part[] = ["text", "title"];
type Framework = "AI SDK" | "LangChain" | "OpenAI Agents";
const all: readonly Framework[] = ["AI SDK", "LangChain", "OpenAI Agents"];

interface Library {
  readonly make: (shape: Shape) => never;
  /** The frameworks that accept the library's schemas. */
  readonly frameworks: readonly Framework[];
  readonly options?: HashOptions;
  /** The texts that the library can keep in a schema. */
  readonly parts?: readonly Part[];
}

const standard = { schemaSource: "standard-json-schema" } as const;
const libraries: Readonly<Record<string, Library>> = {
  "zod 4.6": { make: ofZod4(z), frameworks: all },
  "zod 4.6, standard view": { make: ofZod4(z), frameworks: all, options: standard },
  "zod 4.2": { make: ofZod4(z42 as never), frameworks: ["AI SDK", "LangChain"] },
  "zod 4.1": { make: ofZod4(z41 as never), frameworks: ["AI SDK", "LangChain"] },
  "zod 4.0": { make: ofZod4(z40 as never), frameworks: ["AI SDK", "LangChain"] },
  "zod 3.25": { make: ofZod3, frameworks: ["AI SDK", "LangChain"], parts: ["text"] },
  "zod/mini": { make: ofMini, frameworks: ["AI SDK", "LangChain"] },
  valibot: {
    make: (shape) => toStandardJsonSchema(ofValibot(shape)) as never,
    frameworks: ["AI SDK"],
    options: standard,
  },
  arktype: { make: ofArkType, frameworks: ["AI SDK"], options: standard },
  effect: {
    make: (shape) => Schema.toStandardJSONSchemaV1(Schema.toStandardSchemaV1(ofEffect(shape))) as never,
    frameworks: ["AI SDK"],
    options: standard,
  },
  typebox: {
    make: (shape) => jsonSchema(JSON.parse(JSON.stringify(ofTypeBox(shape)))) as never,
    frameworks: ["AI SDK"],
    options: standard,
  },
};

const name = "send";
const description = "Sends a mail";
const execute = async (): Promise<string> => "ok";

interface Adapted {
  readonly tool: Tool;
  /** Returns what the framework sends to the model. */
  readonly sent: () => unknown;
}

const adapt: Readonly<Record<Framework, (schema: never) => Adapted>> = {
  "AI SDK": (schema) => ({
    tool: fromAiSdkTool(name, aiTool({ description, inputSchema: schema, execute })),
    sent: () => asSchema(schema as never).jsonSchema,
  }),
  LangChain: (schema) => {
    const made = langChainTool(execute, { name, description, schema });
    return {
      tool: fromLangChainTool(made as never),
      sent: () => langChainJsonSchema((made as unknown as { schema: never }).schema),
    };
  },
  "OpenAI Agents": (schema) => {
    const made = openAiTool({ name, description, parameters: schema, execute });
    return { tool: fromOpenAiTool(made), sent: () => made.parameters };
  },
};

const isTransparent = (made: Tool, options: HashOptions): boolean => {
  try {
    made.computeStaticHash({ ...options, requireTransparentSchemas: true });
    return true;
  } catch (error) {
    if (error instanceof CapabilityError && error.code === "opaque-schema") return false;
    throw error;
  }
};

test.each(Object.entries(libraries))(
  "%s: adapters agree with tool() in any order, and each text that is sent counts",
  async (_library, { make, frameworks, options = {}, parts = both }) => {
    // A library may cache its output once, so the frameworks and tool() read each schema in a different order.
    const order = fc.shuffledSubarray(["tool()", ...frameworks] as const, { minLength: frameworks.length + 1 });
    await fc.assert(
      fc.asyncProperty(root, fc.nat(), fc.constantFrom(...parts), order, async (shape, nat, part, askers) => {
        const [schema, other] = [make(shape), make(withOtherText(shape, nat % countPlaces(shape), part))];
        const digests = new Set<string>();
        for (const asker of askers) {
          if (asker === "tool()") {
            digests.add(tool({ name, description, inputSchema: schema, handler: execute }).computeStaticHash(options));
            continue;
          }
          const [adapted, changed] = [adapt[asker](schema), adapt[asker](other)];
          const digest = adapted.tool.computeStaticHash(options);
          if (asker !== "OpenAI Agents") digests.add(digest);
          const changedDigest = changed.tool.computeStaticHash(options);
          if (JSON.stringify(await adapted.sent()) === JSON.stringify(await changed.sent())) continue;
          // A digest that omits texts reports it.
          if (isTransparent(adapted.tool, options)) expect(changedDigest).not.toBe(digest);
        }
        expect(digests.size).toBe(1);
      }),
      { numRuns: 20 },
    );
  },
);
