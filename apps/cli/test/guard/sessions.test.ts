import { writeFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { ONE_ERA } from "../support/short-visits.ts";
import { Workspace } from "../support/workspace.ts";
import { listening } from "./support.ts";

/**
 * A server of the eras with the handshake that asks the user during a call, and then announces that its list changed.
 */
const SERVER = `
import { createInterface } from "node:readline";
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
let called;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (id === "ask-1" && method === undefined) {
    send({ id: called, result: { content: [{ type: "text", text: process.pid + " " + result.content.name }] } });
    return send({ method: "notifications/tools/list_changed" });
  }
  if (id === undefined) return;
  const serverInfo = { name: "asks", version: "1" };
  const capabilities = { tools: { listChanged: true } };
  if (method === "initialize") return send({ id, result: { protocolVersion: "2025-11-25", capabilities, serverInfo } });
  if (method === "tools/list") return send({ id, result: { tools: [{ name: "ask", inputSchema: { type: "object" } }] } });
  if (method !== "tools/call") return send({ id, error: { code: -32601, message: "Method not found" } });
  called = id;
  const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
  send({ id: "ask-1", method: "elicitation/create", params: { message: "Who?", requestedSchema } });
});
`;

async function connected(url: URL, name: string): Promise<{ client: Client; changed: Promise<void> }> {
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { name } }));
  const changed = new Promise<void>((resolve) => {
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
  });
  await client.connect(new StreamableHTTPClientTransport(url));
  return { client, changed };
}

test("each session of an old era has its own process, which sends it requests and notifications", async () => {
  using space = new Workspace(ONE_ERA);
  writeFileSync(space.path("server.mjs"), SERVER);
  const pinned = await space.run(["pin", "--name", "asks", "--", process.execPath, "server.mjs"]);
  expect(pinned, pinned.stderr).toMatchObject({ code: 0 });
  await using guard = await listening(space, ["asks"]);
  const clients = await Promise.all(["ada", "bob"].map((name) => connected(guard.url, name)));
  const texts = await Promise.all(
    clients.map(async ({ client, changed }) => {
      const { content } = await client.callTool({ name: "ask", arguments: {} });
      await changed;
      return (content as { text: string }[])[0]?.text.split(" ");
    }),
  );
  const [[first, ada] = [], [second, bob] = []] = texts;
  expect([ada, bob]).toEqual(["ada", "bob"]);
  expect(first).not.toBe(second);
  for (const { client } of clients) {
    await (client.transport as StreamableHTTPClientTransport).terminateSession();
    await client.close();
  }
});
