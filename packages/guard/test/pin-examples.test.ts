import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { compareTools, pinTools } from "@agentprint/tool-pins";
import { tool as langChainTool } from "@langchain/core/tools";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { tool as openAiTool } from "@openai/agents";
import { tool as aiTool, jsonSchema } from "ai";
import { describe, expect, onTestFinished, test } from "vitest";
import { pinAiSdk, pinLangChain, pinOpenAiAgents } from "../examples/pin-frameworks.ts";
import { createGateway } from "../examples/pin-gateway.ts";
import { rawTools } from "../examples/pin-sdk-client.ts";

const SCHEMA = {
  type: "object",
  properties: { path: { type: "string" } },
  required: ["path"],
  additionalProperties: false,
};
const TOOL = {
  name: "move",
  description: "Moves a file",
  inputSchema: SCHEMA,
  "x-own": 1,
  _meta: { a: 1 },
  annotations: { readOnlyHint: true },
};

/** Answers for a server with two pages of one tool each. */
function answer(
  { id, method, params }: { id?: unknown; method?: string; params?: { cursor?: string } },
  tool: object,
): object {
  const capabilities = { tools: {} };
  const pages = { tools: [tool], nextCursor: "2" };
  const results: Readonly<Record<string, object>> = {
    initialize: { protocolVersion: "2025-06-18", serverInfo: { name: "s", version: "1" }, capabilities },
    "tools/list": params?.cursor === "2" ? { tools: [{ name: "read", inputSchema: SCHEMA }] } : pages,
    "tools/call": { content: [{ type: "text", text: "moved" }] },
  };
  return { jsonrpc: "2.0", id, result: results[method ?? ""] ?? {} };
}

describe.each([1, 2] as const)("the raw list of a client of the official SDK %i.x", (major) => {
  test("has every member, and so the digests of what the server sent", async () => {
    const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
    serverEnd.onmessage = (message) => {
      if ("id" in message) void serverEnd.send(answer(message as never, TOOL) as never);
    };
    await serverEnd.start();
    const info = { name: "client", version: "1" };
    const client = (major === 1 ? new ClientV1(info) : new ClientV2(info)) as ClientV1;
    await client.connect(clientEnd as never);
    const pins = pinTools([TOOL, { name: "read", inputSchema: SCHEMA }], { definitions: true });
    expect(compareTools(pins, await rawTools(client)).same).toBe(true);
    const { tools } = await client.listTools();
    expect(compareTools(pins, tools).same).toBe(false);
  });
});

async function addressOf(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

test("the gateway forwards everything, and lists the tools only while they are the pinned ones", async () => {
  let served: object = TOOL;
  const upstream = createServer(async (request, response) => {
    const message = JSON.parse((await text(request)) || "{}");
    if (request.method !== "POST") response.writeHead(405).end();
    else if (message.id === undefined) response.writeHead(202).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer(message, served)));
  });
  const pins = pinTools([TOOL, { name: "read", inputSchema: SCHEMA }], { definitions: true });
  const address = await addressOf(createGateway(await addressOf(upstream), pins));
  const client = new ClientV1({ name: "client", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(address)) as never);
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["move", "read"]);
  expect((await client.callTool({ name: "move", arguments: { path: "a" } })).content).toEqual([
    { type: "text", text: "moved" },
  ]);
  served = { ...TOOL, annotations: {} };
  await expect(client.listTools()).rejects.toThrow("The tools are not the pinned ones: mcp/hint-more-power");
});

test("tools of frameworks have digests of their own, and do not show what changed in the rest", async () => {
  const raw = pinTools([TOOL]).tools[0]?.wire;
  const { name, description } = TOOL;
  const run = () => "moved";
  const pins = [
    await pinAiSdk({ [name]: aiTool({ description, inputSchema: jsonSchema(SCHEMA as never), execute: run }) }),
    pinLangChain([langChainTool(run, { name, description, schema: SCHEMA as never })]),
    pinOpenAiAgents([openAiTool({ name, description, parameters: SCHEMA as never, execute: run })]),
  ];
  for (const { tools } of pins) {
    expect(tools.map((tool) => tool.name)).toEqual(["move"]);
    expect(tools[0]?.wire).not.toBe(raw);
  }
});
