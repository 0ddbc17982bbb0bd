import { type LockableClient, type LockClientOptions, lockClient, McpLockError, pinsOf } from "@agentprint/mcp-lock";
import { compareTools } from "@agentprint/tool-pins";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { describe, expect, test } from "vitest";

const TOOLS = [
  {
    name: "move",
    inputSchema: { type: "object", "x-own": { a: 1 } },
    "x-member": [1],
    annotations: { "x-hint": true },
  },
  { name: "read", inputSchema: { type: "object" } },
];

/** A server's answers by method and cursor; its tools are on two pages. */
const ANSWERS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: "2025-06-18",
    serverInfo: { name: "files", version: "1" },
    capabilities: { tools: {}, prompts: {}, resources: {} },
    instructions: "Read before you write.",
  },
  "tools/list": { tools: TOOLS.slice(0, 1), nextCursor: "", _meta: { page: 1 } },
  "tools/list ": { tools: TOOLS.slice(1), _meta: { page: 1 } },
  "prompts/list": { prompts: [{ name: "greet", "x-own": 1 }] },
  "resources/list": { resources: [{ uri: "file:///a", name: "a" }] },
  "resources/templates/list": { resourceTemplates: [] },
};

async function connected(major: 1 | 2, answers = ANSWERS): Promise<ClientV1> {
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  serverEnd.onmessage = (message) => {
    if (!("method" in message && "id" in message)) return;
    const { cursor } = (message.params ?? {}) as { cursor?: string };
    const result = answers[message.method + (cursor === undefined ? "" : ` ${cursor}`)];
    const answer = result === undefined ? { error: { code: -32601, message: "none" } } : { result };
    void serverEnd.send({ jsonrpc: "2.0", id: message.id, ...answer } as never);
  };
  await serverEnd.start();
  const info = { name: "client", version: "1" };
  const client = (major === 1 ? new ClientV1(info) : new ClientV2(info)) as ClientV1;
  await client.connect(clientEnd as never);
  return client;
}

describe.each([1, 2] as const)("a client of the official SDK %i.x", (major) => {
  test("has a lock of its server, with every member that the server sent", async () => {
    const client = await connected(major);
    const lock = await lockClient(client, { server: "files" });
    const [entry] = lock.servers;
    if (entry === undefined) throw new Error("a lock of one server");
    expect(entry.name).toBe("files");
    expect(entry.tools.map(({ definition }) => definition)).toEqual(TOOLS);
    expect(entry.prompts.map(({ definition }) => definition)).toEqual([{ name: "greet", "x-own": 1 }]);
    expect(entry.resources).toHaveLength(1);
    expect(entry.parts.find(({ part }) => part === "instructions")?.value).toBe("Read before you write.");
    expect(compareTools(pinsOf(entry), TOOLS).same).toBe(true);
  });

  test("whose server is refused a list passes on what the client says", async () => {
    const client = await connected(major, { initialize: ANSWERS["initialize"] ?? {} });
    await expect(lockClient(client)).rejects.toThrow("none");
  });
});

test("the name and the launch of the server are those that are given, or its own name", async () => {
  const client = await connected(1);
  expect((await lockClient(client)).servers[0]?.name).toBe("files");
  const launch: NonNullable<LockClientOptions["launch"]> = {
    type: "http",
    url: "https://mcp.example/mcp",
    headers: [],
  };
  expect((await lockClient(client, { server: "f", launch })).servers[0]).toMatchObject({ name: "f", launch });
});

const client = (answer: unknown): LockableClient => ({
  request: async () => answer,
  getServerVersion: () => ({}),
  getServerCapabilities: () => ({ tools: {} }),
  getInstructions: () => undefined,
});

test.each<[string, unknown]>([
  ["that is no object", "tools"],
  ["that is no list", { tools: {} }],
  ["with a cursor that is no text", { tools: [], nextCursor: 1 }],
  ["with pages that have no end", { tools: [], nextCursor: "again" }],
])("an answer %s is refused", async (_, answer) => {
  const refused = lockClient(client(answer));
  await expect(refused).rejects.toThrow(McpLockError);
  await expect(refused).rejects.toMatchObject({ code: "invalid-definition" });
});

test("an empty cursor that begins the list again ends it, and a server without a name has one", async () => {
  const lock = await lockClient(client({ tools: [{ name: "a" }], nextCursor: "" }));
  expect(lock.servers[0]).toMatchObject({ name: "server", tools: [{ definition: { name: "a" } }] });
});

test("an unconnected client is refused", async () => {
  await expect(lockClient(new ClientV1({ name: "c", version: "1" }))).rejects.toMatchObject({
    code: "invalid-argument",
  });
});
