import type { JsonObject } from "@agentprint/canonical-json/json-value";
import { tool as agentsTool } from "@openai/agents";
import { tool as aiTool, jsonSchema } from "ai";
import { tool as langchainTool } from "langchain";
import { expect, test } from "vitest";
import { lockTools, describeTools as ofAi } from "../src/adapters/ai-sdk.ts";
import { describeTools as ofLangchain } from "../src/adapters/langchain.ts";
import { describeTools as ofAgents } from "../src/adapters/openai-agents.ts";

/** After V8 13 has read an object with the first key, it reads the second key as the first (nodejs/node#63785). */
const NAMES = ["\\", "\n"] as const;
const schemaOf = (name: string) => ({
  type: "object" as const,
  properties: { a: { type: "string" as const }, [name]: { type: "string" as const } },
  required: [],
  additionalProperties: true as const,
});

const DESCRIBED: Readonly<
  Record<string, (schema: ReturnType<typeof schemaOf>) => Promise<JsonObject[]> | JsonObject[]>
> = {
  "the AI SDK": (schema) => ofAi({ t: aiTool({ inputSchema: jsonSchema(schema) }) }),
  LangChain: (schema) => ofLangchain([langchainTool(() => "", { name: "t", description: "d", schema })]),
  "the OpenAI Agents SDK": (schema) =>
    ofAgents([
      agentsTool({ name: "t", description: "d", parameters: schema as never, strict: false, execute: () => "" }),
    ]),
};

test.each(Object.keys(DESCRIBED))(
  "tools of %s with names of other characters are described otherwise",
  async (library) => {
    const locks = new Set<string>();
    for (const name of [...NAMES, ...NAMES]) {
      const definitions = (await DESCRIBED[library]?.(schemaOf(name))) ?? [];
      const [definition] = definitions as unknown as { readonly inputSchema: { readonly properties: object } }[];
      const properties = definition?.inputSchema.properties ?? {};
      expect(Object.keys(properties)).toEqual(["a", name]);
      locks.add(JSON.stringify(lockTools("own", definitions).servers[0]?.tools[0]?.digests));
    }
    expect(locks.size).toBe(NAMES.length);
  },
);
