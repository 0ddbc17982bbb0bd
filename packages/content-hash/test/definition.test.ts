import { codeHashNormalizedTool, computeTextHash, executeCodeHashNormalized } from "@agentprint/content-hash";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { tool as openAiTool, RunContext } from "@openai/agents";
import { tool as aiSdkTool, asSchema, jsonSchema } from "ai";
import { expect, test } from "vitest";

const { name, description, inputSchema } = codeHashNormalizedTool;
const args = { content: "a\r\n  b", label: "pre-patch" };
const hash = computeTextHash("a b");

test("an MCP client lists it, calls it and accepts its structured result", async () => {
  const server = new Server({ name: "texts", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [codeHashNormalizedTool] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const result = await executeCodeHashNormalized(JSON.stringify(params.arguments));
    return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: { ...result } };
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  const [forClient, forServer] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(forServer), client.connect(forClient)]);

  const { tools } = await client.listTools();
  expect(tools).toEqual([codeHashNormalizedTool]);
  // The client validates both the result and the error against the output schema.
  expect((await client.callTool({ name, arguments: args })).structuredContent).toMatchObject({ success: true, hash });
  expect((await client.callTool({ name, arguments: {} })).structuredContent).toMatchObject({
    success: false,
    errorCode: "MISSING_CONTENT",
  });
  await client.close();
});

test("the AI SDK accepts it as a tool", async () => {
  const definition = aiSdkTool({
    description,
    inputSchema: jsonSchema<typeof args>(inputSchema),
    execute: (input) => executeCodeHashNormalized(JSON.stringify(input)),
  });
  expect(await asSchema(definition.inputSchema).jsonSchema).toEqual(inputSchema);
  const result = await definition.execute?.(args, { toolCallId: "1", messages: [], context: {} });
  expect(result).toMatchObject({ success: true, hash });
});

test("OpenAI Agents accept it as a function tool", async () => {
  const definition = openAiTool({
    name,
    description,
    parameters: { ...inputSchema, additionalProperties: true },
    strict: false,
    execute: (input) => executeCodeHashNormalized(JSON.stringify(input)),
  });
  const result: unknown = await definition.invoke(new RunContext(), JSON.stringify(args));
  expect(result).toMatchObject({ success: true, hash });
});
