import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, test } from "vitest";
import { driftedFiles, expectGuarded, listening, MODERN } from "../guard/support.ts";

const info = { name: "test", version: "1.0.0" };

describe("official clients behind the guard over HTTP", () => {
  test.each(["1.x", "2.x"] as const)("%s: a tool that drifted is not called, the others work", async (version) => {
    using space = await driftedFiles();
    await using guard = await listening(space, ["files"]);
    const [client, transport] =
      version === "1.x"
        ? [new ClientV1(info), new TransportV1(guard.url)]
        : [new ClientV2(info), new TransportV2(guard.url)];
    await client.connect(transport as never);
    await expectGuarded(client as never, space);
    await client.close();
  });
});

test("a guard over HTTP is a complete server", async () => {
  using space = await driftedFiles();
  await using guard = await listening(space, ["files"], { AGENTPRINT_GUARD_TOKEN: "" });
  const post = async (headers: Record<string, string>, message: object, url: URL | string = guard.url) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify(message),
    });
    const text = await response.text();
    return { status: response.status, code: text.startsWith("{") ? JSON.parse(text).error?.code : undefined };
  };
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "read_text_file", arguments: {}, _meta: MODERN },
  };
  const headers = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "read_text_file",
  };
  const { "mcp-name": _name, ...nameless } = headers;
  const { _meta, ...bare } = call.params;
  expect(await post({ ...headers, "mcp-name": "other" }, call)).toEqual({ status: 400, code: -32020 });
  expect(await post({ ...headers, "mcp-name": "=?base64?cmVhZF90ZXh0?=" }, call)).toEqual({
    status: 400,
    code: -32020,
  });
  expect(await post({ ...headers, "mcp-method": "tools/list" }, call)).toEqual({ status: 400, code: -32020 });
  expect(await post({ ...headers, "mcp-protocol-version": "2025-11-25" }, call)).toEqual({ status: 400, code: -32020 });
  expect(await post(nameless, call)).toEqual({ status: 400, code: -32020 });
  expect(await post(headers, { ...call, params: bare })).toEqual({ status: 400, code: -32602 });
  expect((await post({}, { jsonrpc: "2.0", id: 1, method: "tools/list" })).status).toBe(400);
  expect((await post({ "mcp-session-id": "unknown" }, { jsonrpc: "2.0", id: 1, method: "tools/list" })).status).toBe(
    404,
  );
  expect((await post({ origin: "https://evil.example" }, call)).status).toBe(403);
  expect((await post({ origin: "http://localhost:6274", ...headers, "mcp-name": "x" }, call)).status).toBe(400);
  expect((await post({ "content-type": "text/plain" }, call)).status).toBe(415);
  expect((await post(headers, call, new URL("/other", guard.url))).status).toBe(404);
  for (const method of ["GET", "DELETE"]) {
    expect((await fetch(guard.url, { method, headers: { "mcp-protocol-version": "2026-07-28" } })).status).toBe(405);
    expect((await fetch(guard.url, { method })).status).toBe(405);
  }
});

test("an address that others can reach needs a token", async () => {
  using space = await driftedFiles();
  const refused = await space.run(["guard", "--http", "0.0.0.0:0", "files"], { AGENTPRINT_GUARD_TOKEN: "" });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("token") });
});

test("with a token, only those who present it are answered", async () => {
  using space = await driftedFiles();
  await using guard = await listening(space, ["files"], { AGENTPRINT_GUARD_TOKEN: "correct-horse" });
  expect((await fetch(guard.url, { method: "POST", body: "{}" })).status).toBe(401);
  const wrong = { authorization: "Bearer wrong" };
  expect((await fetch(guard.url, { method: "POST", body: "{}", headers: wrong })).status).toBe(401);
  const requestInit = { headers: { Authorization: "Bearer correct-horse" } };
  const client = new ClientV2(info);
  await client.connect(new TransportV2(guard.url, { requestInit }));
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  await client.close();
});
