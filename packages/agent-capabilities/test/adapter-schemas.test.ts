import { tool as langChainTool } from "@langchain/core/tools";
import { tool as openAiTool, RunContext } from "@openai/agents";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { tool as aiTool, dynamicTool } from "ai";
import { type } from "arktype";
import * as v from "valibot";
import { expect, test } from "vitest";
import { z } from "zod";
import { fromAiSdkTool } from "../src/adapters/ai-sdk.ts";
import { fromLangChainTool } from "../src/adapters/langchain.ts";
import { fromOpenAiTool } from "../src/adapters/openai.ts";
import { type EvaluatedTool, evaluateComposable, schemaToHashInput, type Tool } from "../src/index.ts";

const name = "search";
const description = "Searches the archive";
const execute = async (input: unknown): Promise<string> => JSON.stringify(input);
const accept = (value: unknown): { value: unknown } => ({ value });
const standard = { schemaSource: "standard-json-schema", requireTransparentSchemas: true } as const;

/** Adapters for real tools that are made with a schema, and the schemas that the library itself cannot run. */
const adapters: Readonly<Record<string, { readonly adapt: (schema: never) => Tool; readonly cannotRun?: string }>> = {
  "AI SDK": { adapt: (inputSchema) => fromAiSdkTool(name, aiTool({ description, inputSchema, execute } as never)) },
  "AI SDK, dynamic": {
    adapt: (inputSchema) => fromAiSdkTool(name, dynamicTool({ description, inputSchema, execute })),
  },
  "OpenAI Agents SDK": {
    adapt: (parameters) =>
      fromOpenAiTool(openAiTool({ name, description, parameters, execute }), {
        runContext: new RunContext(),
        validate: accept,
      }),
  },
  LangChain: {
    adapt: (schema) => fromLangChainTool(langChainTool(execute, { name, description, schema }) as never),
    cannotRun: "arktype", // LangChain takes a function for a JSON Schema.
  },
};

const libraries: Readonly<Record<string, readonly unknown[]>> = {
  arktype: [type({ a: "string" }), type({ a: "number" })],
  valibot: [v.string(), v.number()].map((a) => toStandardJsonSchema(v.object({ a }))),
  zod: [z.object({ a: z.string() }), z.object({ a: z.number() })],
};

const rows = Object.entries(adapters).flatMap(([adapter, how]) =>
  Object.entries(libraries).map(([library, schemas]) => ({ adapter, library, schemas, ...how })),
);

test.each(rows)(
  "$adapter: two schemas of $library have different hashes",
  async ({ library, schemas, adapt, cannotRun }) => {
    const [text, number] = schemas.map((schema) => adapt(schema as never)) as [Tool, Tool];
    expect(text.computeStaticHash(standard)).not.toBe(number.computeStaticHash(standard));
    expect(schemaToHashInput(text.inputSchema, standard)).toMatchObject({ properties: { a: { type: "string" } } });
    if (library === cannotRun) return;
    const { tools } = await evaluateComposable(text, { env: {} });
    const evaluated = Object.values(tools)[0] as EvaluatedTool<unknown>;
    expect(await evaluated.execute({ a: "x" })).toBe('{"a":"x"}');
  },
);

test("LangChain: the JSON Schema that zod writes, which hides a schema in itself, is hashed as JSON Schema", () => {
  const schema = z.toJSONSchema(z.object({ a: z.string() }));
  const adapted = fromLangChainTool(langChainTool(execute, { name, description, schema }) as never);
  expect(schemaToHashInput(adapted.inputSchema)).toEqual(JSON.parse(JSON.stringify(schema)));
});
