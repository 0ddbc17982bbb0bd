import { tool as langChainTool } from "@langchain/core/tools";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { tool as openAiTool, RunContext, webSearchTool } from "@openai/agents";
import { jsonSchema as aiJsonSchema, tool as aiTool, dynamicTool, generateText } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod-3.25";
import { type AiSdkTool, fromAiSdkTool, toAiSdkTools } from "../src/adapters/ai-sdk.ts";
import { fromLangChainTool } from "../src/adapters/langchain.ts";
import { fromMcpTool } from "../src/adapters/mcp.ts";
import { fromOpenAiTool } from "../src/adapters/openai.ts";
import {
  computeFullCapabilityLink,
  createRegisteredAgent,
  type EvaluatedTool,
  evaluateComposable,
  type JsonSchemaWrapper,
  jsonSchema,
  policy,
  schemaToHashInput,
  type Tool,
  tool,
} from "../src/index.ts";

const name = "search";
const description = "Searches the archive";
const shape = { query: z.string(), limit: z.number().int().min(1).max(50).default(10) };
const zod = z.object(shape);
const plain = {
  type: "object" as const,
  properties: { query: { type: "string" as const } },
  required: ["query"],
  additionalProperties: true as const,
};
const echo = async (input: unknown): Promise<string> => JSON.stringify(input);
const accept = (value: unknown): { value: unknown } => ({ value });

/** Returns a client that speaks the real protocol with a server in this process. */
async function connect(server: Server): Promise<Client> {
  const [mine, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1.0.0" });
  await Promise.all([server.connect(theirs), client.connect(mine)]);
  return client;
}

async function mcpOfZod(): Promise<Tool> {
  const server = new McpServer({ name: "archive", version: "1.0.0" });
  server.registerTool(name, { description, inputSchema: shape }, async () => ({ content: [] }));
  const client = await connect(server.server);
  const [wire] = (await client.listTools()).tools;
  await client.close();
  return fromMcpTool(wire as never);
}

async function mcpOfJson(): Promise<Tool> {
  const server = new Server({ name: "archive", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: [{ name, description, inputSchema: plain }],
  }));
  const client = await connect(server);
  const raw = await client.request({ method: "tools/list" }, z.looseObject({ tools: z.array(z.looseObject({})) }));
  await client.close();
  return fromMcpTool(raw.tools[0] as never);
}

async function run(adapted: Tool, input: unknown): Promise<unknown> {
  const { tools } = await evaluateComposable(adapted, { env: {} });
  return (tools as Record<string, EvaluatedTool<unknown>>)[adapted.name]?.execute(input);
}

describe("one tool in every library", () => {
  test("with one JSON Schema, all digests are equal", async () => {
    const own = tool({ name, description, inputSchema: jsonSchema(plain), handler: echo });
    const digests = {
      mcp: (await mcpOfJson()).staticHash,
      aiSdk: fromAiSdkTool(name, aiTool({ description, inputSchema: aiJsonSchema(plain), execute: echo })).staticHash,
      openAi: fromOpenAiTool(openAiTool({ name, description, parameters: plain, strict: false, execute: echo }))
        .staticHash,
      langChain: fromLangChainTool(langChainTool(echo, { name, description, schema: plain })).staticHash,
    };
    expect(new Set([...Object.values(digests), own.staticHash]).size).toBe(1);
  });

  test("with one zod schema, libraries that keep the schema agree, and MCP and OpenAI send another JSON Schema", async () => {
    const own = tool({ name, description, inputSchema: zod, handler: echo });
    expect(fromAiSdkTool(name, aiTool({ description, inputSchema: zod, execute: echo })).staticHash).toBe(
      own.staticHash,
    );
    expect(fromLangChainTool(langChainTool(echo, { name, description, schema: zod })).staticHash).toBe(own.staticHash);

    const schemaOf = (adapted: Tool): Record<string, unknown> =>
      (adapted.inputSchema as unknown as { toJSONSchema(): Record<string, unknown> }).toJSONSchema();
    const [mcp, openAi] = [
      await mcpOfZod(),
      fromOpenAiTool(openAiTool({ name, description, parameters: zod, execute: echo })),
    ];
    const draft2020 = { $schema: "https://json-schema.org/draft/2020-12/schema" };
    const draft7 = { $schema: "http://json-schema.org/draft-07/schema#" };
    const closed = { additionalProperties: false };
    expect(schemaOf(own as never)).toMatchObject({ ...draft2020, ...closed, required: ["query", "limit"] });
    // The input side: a member with a default is not required, and other properties are allowed.
    expect(schemaOf(mcp)).toMatchObject({ ...draft7, required: ["query"] });
    expect(schemaOf(mcp)).not.toHaveProperty("additionalProperties");
    // Strict mode of the Responses API: everything is required and nothing else is allowed.
    expect(schemaOf(openAi)).toMatchObject({ ...draft7, ...closed, required: ["query", "limit"] });
    expect(new Set([own, mcp, openAi].map(({ staticHash }) => staticHash)).size).toBe(3);
  });
});

describe("MCP", () => {
  test("a proxied tool calls the server with checked input", async () => {
    const server = new McpServer({ name: "archive", version: "1.0.0" });
    server.registerTool(name, { inputSchema: shape }, async (input) => ({
      content: [{ type: "text", text: JSON.stringify(input) }],
    }));
    const client = await connect(server.server);
    const [wire] = (await client.listTools()).tools;
    const handler = (_ctx: unknown, input: unknown): unknown => client.callTool({ name, arguments: input as never });
    const answer = await run(fromMcpTool(wire as never, { handler, validate: accept }), { query: "q" });
    await client.close();
    expect(answer).toMatchObject({ content: [{ text: '{"query":"q","limit":10}' }] });
  });

  test("without a handler a tool can be hashed but not run, and without validate it refuses input", async () => {
    const wire = { name, inputSchema: plain };
    await expect(run(fromMcpTool(wire, { validate: accept }), {})).rejects.toMatchObject({
      code: "missing-handler",
      toolName: name,
    });
    await expect(run(fromMcpTool(wire, { handler: () => 1 }), {})).rejects.toMatchObject({ code: "invalid-input" });
  });

  test.each([
    ["null", null],
    ["no name", { inputSchema: {} }],
    ["no schema", { name }],
    ["a description that is no text", { name, description: 1, inputSchema: {} }],
  ])("a hostile wire: %s", (_name, wire) => {
    expect(() => fromMcpTool(wire as never)).toThrow(expect.objectContaining({ name: "CapabilityError" }));
  });

  test("policies and instructions can be added", () => {
    const added = fromMcpTool(
      { name, inputSchema: plain },
      { instructions: ["i"], policies: [policy("p", () => true)] },
    );
    expect([added.instructions, added.policies.map(({ id }) => id)]).toEqual([["i"], ["p"]]);
  });
});

describe("Vercel AI SDK", () => {
  test("runs execute with the schema's output and the signal", async () => {
    const seen: unknown[] = [];
    const source = aiTool({
      inputSchema: zod,
      execute: (input, options) => seen.push(input, options.abortSignal?.aborted),
    });
    const { tools } = await evaluateComposable(fromAiSdkTool(name, source), {
      env: {},
      signal: new AbortController().signal,
    });
    await Object.values(tools)[0]?.execute({ query: "q" } as never);
    expect(seen).toEqual([{ query: "q", limit: 10 }, false]);
  });

  test("takes dynamic tools, lazy schemas, and the validation of a JSON Schema", async () => {
    const validate = (value: unknown): never =>
      (value === "good" ? { success: true, value: "better" } : { success: false, error: new Error("bad") }) as never;
    const source = dynamicTool({ inputSchema: () => aiJsonSchema(plain, { validate }), execute: echo });
    expect(await run(fromAiSdkTool(name, source), "good")).toBe('"better"');
    await expect(run(fromAiSdkTool(name, source), "else")).rejects.toMatchObject({ issues: [{ message: "bad" }] });
    await expect(run(fromAiSdkTool(name, aiTool({ inputSchema: zod })), { query: "q" })).rejects.toMatchObject({
      code: "missing-handler",
    });
    const unchecked = aiTool({ inputSchema: aiJsonSchema(plain), execute: echo });
    await expect(run(fromAiSdkTool(name, unchecked), {})).rejects.toMatchObject({ code: "invalid-input" });
    expect(await run(fromAiSdkTool(name, unchecked, { validate: accept }), {})).toBe("{}");
  });

  test.each([
    ["a description that depends on the call", { description: () => "now", inputSchema: zod }, "no fingerprint"],
    ["a tool of a provider", { type: "provider", inputSchema: zod }, "defined by its provider"],
    ["no schema", {}, "expected an inputSchema"],
    [
      "a JSON Schema that is a promise",
      { inputSchema: aiJsonSchema(Promise.resolve(plain)) },
      "expected an inputSchema",
    ],
  ] as [string, AiSdkTool, string][])("refuses %s", (_name, source, message) => {
    expect(() => fromAiSdkTool(name, source)).toThrow(message);
  });

  test("generateText receives the hashed JSON Schema and runs evaluated tools", async () => {
    const double = tool({
      name: "double",
      description: "Doubles",
      inputSchema: z.object({ n: z.coerce.number() }),
      handler: (_ctx, { n }) => n * 2,
    });
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never;
    const model = new MockLanguageModelV4({
      doGenerate: [
        {
          content: [{ type: "tool-call", toolCallId: "1", toolName: "double", input: '{"n":"21"}' }],
          finishReason: { unified: "tool-calls", raw: undefined },
          usage,
          warnings: [],
        },
      ],
    });
    const result = await generateText({
      model,
      prompt: "21?",
      tools: toAiSdkTools(await evaluateComposable(double, { env: {} })),
    });
    expect(result.toolResults).toMatchObject([{ toolName: "double", output: 42 }]);
    const [shown] = model.doGenerateCalls[0]?.tools ?? [];
    expect(shown).toMatchObject({ description: "Doubles", inputSchema: double.inputSchema.toJSONSchema() });
  });

  test("the model is shown the JSON Schema that is hashed", async () => {
    const root = tool({ name: "t", inputSchema: zod, handler: () => 1 });
    const agent = createRegisteredAgent({ agentId: "a", name: "A", root }, { schemaSource: "standard-json-schema" });
    const { evaluation, hashOptions } = await computeFullCapabilityLink({ agent, ctx: { env: {} } });
    const { inputSchema } = toAiSdkTools(evaluation, hashOptions)["t"] ?? {};
    expect((inputSchema as JsonSchemaWrapper).toJSONSchema()).toEqual(schemaToHashInput(zod, hashOptions));
    expect(schemaToHashInput(zod, hashOptions)).not.toEqual(schemaToHashInput(zod));
  });

  test("an opaque schema is passed to the AI SDK unchanged", async () => {
    const opaque = tool({ name: "opaque", inputSchema: z3.object({}), handler: () => 1 });
    const { inputSchema, execute } = toAiSdkTools(await evaluateComposable(opaque, { env: {} }))["opaque"] ?? {};
    expect(inputSchema).toBe(opaque.inputSchema);
    expect(await execute?.({}, {})).toBe(1);
  });
});

describe("OpenAI Agents SDK", () => {
  const source = openAiTool({ name, description, parameters: zod, execute: echo });

  test("runs invoke in a run context", async () => {
    const adapted = fromOpenAiTool(source, { runContext: new RunContext(), validate: accept });
    expect(await run(adapted, { query: "q", limit: 1 })).toBe('{"query":"q","limit":1}');
    const bound = await evaluateComposable(adapted, { env: {}, signal: new AbortController().signal });
    expect(await Object.values(bound.tools)[0]?.execute({ query: "q", limit: 1 } as never)).toBe(
      '{"query":"q","limit":1}',
    );
    await expect(run(fromOpenAiTool(source, { validate: accept }), {})).rejects.toMatchObject({
      code: "missing-handler",
    });
  });

  test("refuses a hosted tool", () => {
    expect(() => fromOpenAiTool(webSearchTool() as never)).toThrow("hosted_tool tool is defined by its provider");
  });
});

describe("LangChain", () => {
  test("runs invoke with the unchanged input", async () => {
    const given: unknown[] = [];
    const doubling = z.object({ n: z.string().transform((text) => Number(text) * 2) });
    const source = langChainTool(async (input) => given.push(input), { name, description, schema: doubling });
    await run(fromLangChainTool(source), { n: "2" });
    expect(given).toEqual([{ n: 4 }]);
    await expect(run(fromLangChainTool(source), { n: 2 })).rejects.toMatchObject({ code: "invalid-input", path: "/n" });
    const signalled = await evaluateComposable(fromLangChainTool(source), {
      env: {},
      signal: new AbortController().signal,
    });
    await Object.values(signalled.tools)[0]?.execute({ n: "3" } as never);
    expect(given[1]).toEqual({ n: 6 });
  });

  test("takes JSON Schema with a validator, and refuses anything that is not a schema", async () => {
    const source = langChainTool(echo, { name, description, schema: plain });
    expect(await run(fromLangChainTool(source, { validate: accept }), { query: "q" })).toBe('{"query":"q"}');
    await expect(run(fromLangChainTool(source), { query: "q" })).rejects.toMatchObject({ code: "invalid-input" });
    expect(() => fromLangChainTool({ ...source, name, description, schema: "text", invoke: echo })).toThrow(
      "Standard Schema or JSON Schema",
    );
  });
});
