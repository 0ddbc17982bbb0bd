import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { expect, test } from "vitest";
import { INITIALIZE } from "../guard/guarded.ts";
import { listening, MODERN } from "../guard/support.ts";
import { tellingServer } from "../guard/telling-server.ts";
import { Workspace } from "../support/workspace.ts";

const TYPES = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const LIES = { "mcp-method": "tools/call", "mcp-name": "other", "mcp-param-region": "us" };

const post = (url: URL, message: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(url, { method: "POST", headers: { ...TYPES, ...headers }, body: JSON.stringify(message) });

test("headers that repeat parts of the body are true or absent", async () => {
  using server = await tellingServer();
  using space = new Workspace();
  expect(await space.run(["pin", "--name", "remote", "--url", server.url])).toMatchObject({ code: 0 });
  await using guard = await listening(space, ["remote", "--pass-through", "remote"]);
  const from = server.seen.length;
  const modern = { "mcp-protocol-version": "2026-07-28" };
  const notification = { jsonrpc: "2.0", method: "notifications/x", params: { _meta: MODERN } };
  const request = (method: string, params: object = {}) => ({
    jsonrpc: "2.0",
    id: 1,
    method,
    params: { ...params, _meta: MODERN },
  });

  // Refused: requests of the new era whose headers contradict them, and notifications with another method or version in
  // their headers.
  const list = { ...modern, "mcp-method": "tools/list" };
  for (const lie of [{ "mcp-method": "tools/call" }, { "mcp-name": "read" }]) {
    const refused = await post(guard.url, request("tools/list"), { ...list, ...lie });
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: -32020 } }]);
  }
  for (const lie of [{ "mcp-method": "tools/call" }, { "mcp-method": "" }, { "mcp-protocol-version": "2025-11-25" }]) {
    const refused = await post(guard.url, notification, { ...modern, ...lie });
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: -32020 } }]);
  }
  expect(server.seen.slice(from)).toEqual([]);

  // Dropped: the other headers of notifications, and all such headers of an old era.
  const named = { ...modern, ...LIES, "mcp-method": "notifications/x" };
  expect((await post(guard.url, notification, named)).status).toBe(202);
  const begun = await post(guard.url, INITIALIZE, LIES);
  expect(begun.status).toBe(200);
  const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "", ...LIES };
  const old = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "read", arguments: {} } };
  expect(await (await post(guard.url, old, session)).text()).toContain("honest");
  await fetch(guard.url, { headers: { accept: "text/event-stream", ...session } });
  const dropped = server.seen.slice(from);
  const said = dropped.map(({ method, body }) => body?.method ?? method);
  expect(said).toEqual(["notifications/x", "initialize", "tools/list", "tools/call", "GET"]);
  for (const { headers } of dropped) expect(Object.keys(headers).filter((name) => name in LIES)).toEqual([]);

  // The guard forwards headers that it does not recognize. The guard's own listing has headers that fit its body.
  const call = {
    ...modern,
    "mcp-method": "tools/call",
    "mcp-name": "read",
    "mcp-param-unknown": "x",
    authorization: "Bearer b",
  };
  const own = server.seen.length;
  expect(await (await post(guard.url, request("tools/call", { name: "read", arguments: {} }), call)).text()).toContain(
    "honest",
  );
  const [listing, called] = server.seen.slice(own);
  expect(called?.headers).toMatchObject(call);
  expect(listing?.headers).toMatchObject({ ...modern, "mcp-method": "tools/list", authorization: "Bearer b" });
  expect(listing?.headers).not.toHaveProperty("mcp-name");
  expect(listing?.headers).not.toHaveProperty("mcp-param-unknown");
});

test("only pages of this machine can call a guard on this machine", async () => {
  using server = await tellingServer();
  using space = new Workspace();
  expect(await space.run(["pin", "--name", "remote", "--url", server.url])).toMatchObject({ code: 0 });
  await using guard = await listening(space, ["remote"]);
  const status = async (origin: string) => (await post(guard.url, INITIALIZE, { origin })).status;
  for (const own of ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:8080"]) {
    expect(await status(own), own).toBe(200);
  }
  const others = [
    "chrome-extension://localhost",
    "moz-extension://127.0.0.1",
    "file://localhost",
    "null",
    "http://localhost.evil.org",
  ];
  for (const other of [...others, "ftp://localhost", "app://localhost", "ws://localhost"]) {
    expect(await status(other), other).toBe(403);
  }
});

test("a name that resolves to this machine does not count as its address", async () => {
  using server = await tellingServer();
  using space = new Workspace();
  expect(await space.run(["pin", "--name", "remote", "--url", server.url])).toMatchObject({ code: 0 });
  await using guard = await listening(space, ["remote"]);
  const status = (host: string) =>
    new Promise((resolve, reject) => {
      const asked = request(guard.url, { method: "POST", headers: { host, "content-type": "application/json" } });
      asked.on("response", ({ statusCode }) => resolve(statusCode)).on("error", reject);
      asked.end(JSON.stringify(INITIALIZE));
    });
  const { port } = guard.url;
  for (const host of [`page.example:${port}`, `127.0.0.1.page.example:${port}`, "page.example"]) {
    expect(await status(host), host).toBe(403);
  }
});

/** A server that logs when it starts and ends; it is a shell script, because a shell starts fast. */
const SERVER = `
echo "+" >> processes.log
while IFS= read -r line; do
  rest=\${line#*'"id":'}
  [ "$rest" = "$line" ] && continue
  id=\${rest%%[,\\}]*}
  case $line in
    *'"method":"initialize"'*) result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}' ;;
    *'"method":"tools/list"'*) result='{"tools":[{"name":"one","inputSchema":{"type":"object"}}]}' ;;
    *) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}\\n' "$id"; continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$result"
done
echo "-" >> processes.log
`;

test("at most a hundred processes of a server run, however many clients come at once", async () => {
  using space = new Workspace();
  writeFileSync(space.path("server.sh"), SERVER);
  const pinned = await space.run(["pin", "--name", "shell", "--", "/bin/sh", "server.sh"]);
  expect(pinned, pinned.stderr).toMatchObject({ code: 0 });
  writeFileSync(space.path("processes.log"), "");
  await using guard = await listening(space, ["shell"]);
  const answers = await Promise.all(Array.from({ length: 160 }, () => post(guard.url, INITIALIZE)));
  const statuses = answers.map(({ status }) => status);
  await Promise.all(answers.map((answer) => answer.text()));
  // A machine that ends idle processes too slowly refuses some clients temporarily.
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(100);
  let [running, most] = [0, 0];
  for (const line of readFileSync(space.path("processes.log"), "utf8").trim().split("\n")) {
    running += line === "+" ? 1 : -1;
    most = Math.max(most, running);
  }
  expect(most).toBe(100);
  const next = await post(guard.url, INITIALIZE);
  expect(next.status).toBe(200);
  expect((await next.json()) as object).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
}, 120_000);
