import { readFileSync } from "node:fs";
import { CLIENT_REFUSALS, type MeasuredClient } from "@agentprint/release";
import { FAULTY_TOOLS } from "@agentprint/testing/lock/faulty-tools";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";

const RIGHT = { name: "right", inputSchema: { type: "object" } };
const INFO = { name: "measured", version: "1.0.0" };
const DISCOVERED = { resultType: "complete", supportedVersions: ["2026-07-28"], ttlMs: 0, cacheScope: "private" };

/** Returns the answer of a server that offers a correct tool and the given one. */
function answer(method: string, tool: object): object {
  const said = { capabilities: { tools: {} }, serverInfo: INFO };
  if (method === "initialize") return { protocolVersion: "2025-11-25", ...said };
  if (method === "server/discover") return { ...DISCOVERED, ...said };
  return { resultType: "complete", ttlMs: 0, cacheScope: "private", tools: [RIGHT, tool] };
}

async function transportTo(tool: object): Promise<InMemoryTransport> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  theirs.onmessage = (message) => {
    if (!("id" in message) || !("method" in message)) return;
    const result = answer(message.method, tool);
    void theirs.send({ jsonrpc: "2.0", id: message.id, result } as JSONRPCMessage);
  };
  await theirs.start();
  return ours;
}

/** The clients, under the names that the rule gives them. */
const CLIENTS: Readonly<Record<MeasuredClient, () => Client | ModernClient>> = {
  "@modelcontextprotocol/sdk 1.32.2": () => new Client(INFO),
  "@modelcontextprotocol/client 2.4.0 (legacy)": () => new ModernClient(INFO),
  "@modelcontextprotocol/client 2.4.0 (modern)": () => new ModernClient(INFO, { versionNegotiation: { mode: "auto" } }),
};

/** One tool for each malformed shape, in the table's order. */
const WRONG = [
  { inputSchema: { properties: {} } },
  { inputSchema: RIGHT.inputSchema, outputSchema: { type: "array" } },
  { inputSchema: { type: "object", properties: { any: true } } },
  { inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": "My Region" } } } },
];

const cases = CLIENT_REFUSALS.flatMap((refusal, index) =>
  Object.entries(CLIENTS).map(([client, create]) => ({
    client: client as MeasuredClient,
    create,
    refusal,
    expected: refusal.expected,
    tool: { name: "wrong", ...WRONG[index] },
  })),
);

test.each(cases)("$client, where a tool lacks $expected", async ({ client, create, refusal, tool }) => {
  expect(refusal.find(tool as never)).toMatch(/^\//);
  const connected = create();
  await connected.connect((await transportTo(tool)) as never);
  const names = await connected.listTools().then(
    ({ tools }) => tools.map(({ name }) => name),
    () => "refused",
  );
  const isDropped = refusal.toolDroppedBy.includes(client);
  const kept = isDropped ? ["right"] : ["right", "wrong"];
  expect(names).toEqual(refusal.listRefusedBy.includes(client) ? "refused" : kept);
  await connected.close();
});

test("the clients have the versions that the rule names", () => {
  const { devDependencies } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  for (const client of Object.keys(CLIENTS)) {
    const [name = "", version] = client.split(" ");
    expect(devDependencies).toMatchObject({ [name]: version });
  }
});

test.each(FAULTY_TOOLS)("a client refuses the complete list because of %s", async (_form, members) => {
  const answers: boolean[] = [];
  for (const create of Object.values(CLIENTS)) {
    const connected = create();
    await connected.connect((await transportTo({ name: "wrong", ...members })) as never);
    answers.push(
      await connected.listTools().then(
        () => true,
        () => false,
      ),
    );
    await connected.close();
  }
  expect(answers).toContain(false);
});
