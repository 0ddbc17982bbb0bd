import { writeFileSync } from "node:fs";
import { sdkV1 } from "@agentprint/testing/mcp-servers/http-servers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, test } from "vitest";
import { pinned } from "../guard/fault-world.ts";
import { INITIALIZE } from "../guard/guarded.ts";
import { listening, MODERN } from "../guard/support.ts";
import { Workspace } from "../support/workspace.ts";

test("sessions at an address that use the same ids and wait for the same listing are all answered", async () => {
  using server = await sdkV1();
  using space = new Workspace();
  expect((await space.run(["pin", "--name", "remote", "--url", server.url])).code).toBe(0);
  await using guard = await listening(space, ["remote"]);
  const clients = await Promise.all(
    ["Oslo", "Rome", "Lima"].map(async (city) => {
      const client = new Client({ name: "test", version: "1" });
      await client.connect(new StreamableHTTPClientTransport(guard.url) as never);
      return { client, city };
    }),
  );
  const name = String(space.lock().servers[0]?.tools[0]?.definition["name"]);
  // No session has listed its tools, so all calls of all sessions wait for the guard's listings.
  const answers = await Promise.all(
    clients.flatMap(({ client, city }) =>
      [1, 2, 3].map((call) => client.callTool({ name, arguments: { city: `${city} ${call}` } })),
    ),
  );
  expect(answers.map(({ isError }) => isError ?? false)).toEqual(answers.map(() => false));
  const reached = server.seen.flatMap(({ body }) => (body?.method === "tools/call" ? [JSON.stringify(body)] : []));
  expect(reached).toHaveLength(answers.length);
  for (const { city } of clients) expect(reached.filter((body) => body.includes(city))).toHaveLength(3);
  await Promise.all(clients.map(({ client }) => client.close()));
});

const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };

test("a dry run over HTTP answers each client", async () => {
  const space = await pinned();
  await using guard = await listening(space, ["faults", "--dry-run"]);
  const params = { name: "echo", arguments: { text: "hello" }, _meta: MODERN };
  const answered = await fetch(guard.url, {
    method: "POST",
    headers: { ...headers, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "echo" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  expect(await answered.json()).toMatchObject({ id: 1, result: { content: [{ text: "hello" }] } });
});

test("a batch of MCP 2025-03-26 is judged call by call, and answered in one stream", async () => {
  const space = await pinned();
  writeFileSync(
    space.path("agentprint.config.json"),
    JSON.stringify({ servers: { faults: { calls: { hang: { deny: true } } } } }),
  );
  await using guard = await listening(space, ["faults"]);
  const post = (body: unknown, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(guard.url, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const begun = await post({ ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion: "2025-03-26" } });
  const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
  expect(await begun.json()).toMatchObject({ result: { protocolVersion: "2025-03-26" } });
  const call = (id: number, name: string) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: { text: String(id) } },
  });
  const stream = await (await post([call(1, "echo"), call(2, "hang"), call(3, "echo")], session)).text();
  const messages = [...stream.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""));
  expect(messages.sort((a, b) => a.id - b.id)).toMatchObject([
    { id: 1, result: { content: [{ text: "1" }] } },
    { id: 2, result: { isError: true } },
    { id: 3, result: { content: [{ text: "3" }] } },
  ]);
});
