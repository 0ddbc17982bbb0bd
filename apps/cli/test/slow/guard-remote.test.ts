import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sdkV1, sdkV2 } from "@agentprint/testing/mcp-servers/http-servers";
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, test } from "vitest";
import { listening } from "../guard/support.ts";
import { Workspace } from "../support/workspace.ts";

const info = { name: "test", version: "1.0.0" };

test.each([
  ["2.x", "of the new era"],
  ["1.x", "of an old era"],
] as const)(
  "a client %s reaches a server %s through the guard, with its own authorization if that is passed through",
  async (version, _era) => {
    using server = version === "2.x" ? await sdkV2("reject") : await sdkV1();
    using space = new Workspace();
    const pinned = await space.run(["pin", "--name", "remote", "--url", server.url]);
    expect(pinned, pinned.stderr).toMatchObject({ code: 0 });
    await using guard = await listening(space, ["remote", "--pass-through", "remote"]);
    const requestInit = { headers: { Authorization: "Bearer of-the-client", Cookie: "not=passed" } };
    const [client, transport] =
      version === "1.x"
        ? [new ClientV1(info), new TransportV1(guard.url, { requestInit })]
        : [new ClientV2(info, { versionNegotiation: { mode: "auto" } }), new TransportV2(guard.url, { requestInit })];
    await client.connect(transport as never);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      space.lock().servers.flatMap((entry) => entry.tools.map(({ definition }) => definition["name"])),
    );
    const [tool] = tools;
    const called = await client.callTool({ name: tool?.name ?? "", arguments: { city: "Oslo" } });
    expect(called.isError ?? false).toBe(false);
    await client.close();
    const calls = server.seen.filter(({ body }) => body?.method === "tools/call");
    expect(calls).toMatchObject([{ headers: { authorization: "Bearer of-the-client" } }]);
    expect(calls[0]?.headers).not.toHaveProperty("cookie");
  },
);

test("clients with the same ids, and calls that wait for one listing, receive their own answers", async () => {
  using server = await sdkV1();
  using space = new Workspace();
  const pinned = await space.run(["pin", "--name", "remote", "--url", server.url]);
  expect(pinned, pinned.stderr).toMatchObject({ code: 0 });
  await using guard = await listening(space, ["remote"]);
  const clients = [new ClientV1(info), new ClientV1(info)];
  for (const client of clients) await client.connect(new TransportV1(guard.url) as never);
  const call = { name: "weather", arguments: { city: "Oslo" } };
  const results = await Promise.all(clients.flatMap((client) => [1, 2, 3].map(() => client.callTool(call))));
  expect(results.map(({ content }) => content)).toEqual(results.map(() => [{ type: "text", text: "sunny" }]));
  for (const client of clients) await client.close();
});

test("the client receives the status of the server, and an error that answers its own request", async () => {
  using server = await sdkV1();
  using space = new Workspace();
  await space.run(["pin", "--name", "remote", "--url", server.url]);
  await using guard = await listening(space, ["remote"]);
  const answered = await fetch(guard.url, {
    method: "POST",
    headers: { "content-type": "application/json", "mcp-session-id": "ended" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/list" }),
  });
  // The server's own error belongs to no request.
  expect({ status: answered.status, body: await answered.json() }).toMatchObject({ status: 400, body: { id: 7 } });
});

test("a server that requires another authorization reports it, and the guard passes its metadata", async () => {
  using space = new Workspace();
  let isOpen = true;
  using inner = await sdkV2("reject");
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith("/.well-known/oauth-protected-resource")) {
      const body = JSON.stringify({ resource: "https://there", authorization_servers: ["https://auth.example"] });
      response.writeHead(200, { "content-type": "application/json" }).end(body);
      return;
    }
    if (!isOpen) {
      const challenge = 'Bearer resource_metadata="https://there/.well-known/oauth-protected-resource"';
      response.writeHead(401, { "www-authenticate": challenge }).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.entries(request.headers).filter(([name]) => /^(?:content-type|accept|mcp-.*)$/.test(name));
    const init = { method: request.method ?? "POST", headers: headers as [string, string][] };
    const answered = await fetch(inner.url, init.method === "POST" ? { ...init, body: Buffer.concat(chunks) } : init);
    if (answered.body === null) return void response.writeHead(answered.status).end();
    response.writeHead(answered.status, { "content-type": answered.headers.get("content-type") ?? "text/plain" });
    // A stream ends when its client leaves.
    await pipeline(Readable.fromWeb(answered.body as never), response).catch(() => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const pinned = await space.run(["pin", "--name", "remote", "--url", `http://127.0.0.1:${port}/mcp`]);
    expect(pinned, pinned.stderr).toMatchObject({ code: 0 });
    isOpen = false;
    await using guard = await listening(space, ["remote", "--pass-through", "remote"]);
    const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: info };
    const refused = await fetch(guard.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: initialize }),
    });
    expect(refused.status).toBe(401);
    const metadata = new URL("/.well-known/oauth-protected-resource/remote", guard.url);
    expect(refused.headers.get("www-authenticate")).toBe(`Bearer resource_metadata="${metadata.href}"`);
    expect(await (await fetch(metadata)).json()).toEqual({
      resource: guard.url.href,
      authorization_servers: ["https://auth.example"],
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
