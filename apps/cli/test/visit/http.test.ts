import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { httpServer, sendEvent, sendJson } from "../support/http-server.ts";
import { Workspace } from "../support/workspace.ts";

let workspace: Workspace;
let server: Awaited<ReturnType<typeof httpServer>>;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => {
  server.close();
  workspace[Symbol.dispose]();
});

const tools = (text: string, id: number | undefined): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"tools":[${text}]}}`;
const good =
  '{"name":"read","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"x-unknown":{"kept":[1]}}';

describe("over streamable HTTP", () => {
  test.each([
    { name: "JSON", send: sendJson },
    { name: "an event stream", send: sendEvent },
  ])("takes an answer in $name, unknown keys and all", async ({ send }) => {
    server = await httpServer(({ id }, response) => send(response, tools(good, id)));
    expect(await workspace.run(["pin", "--name", "it", "--url", server.url])).toMatchObject({ code: 0, stderr: "" });
    expect(workspace.lock().servers[0]?.tools[0]?.definition).toEqual(JSON.parse(good));
  });

  test("pins a server that never answers the end of the session", async () => {
    let asked = false;
    server = await httpServer(
      ({ id }, response) => sendJson(response, tools(good, id)),
      () => {
        asked = true;
      },
    );
    expect(await workspace.run(["pin", "--name", "it", "--url", server.url])).toMatchObject({ code: 0, stderr: "" });
    expect(asked).toBe(true);
  });

  test("sends named headers, and no file receives their values", async () => {
    const secret = "correct horse battery staple";
    server = await httpServer(({ id }, response, { headers }) => {
      if (headers["x-api-key"] === secret) sendJson(response, tools(good, id));
      else response.writeHead(401).end("\u001b[31mwho are you?");
    });
    const pin = ["pin", "--name", "it", "--url", server.url, "--header", "X-API-Key"];
    expect((await workspace.run(pin, { AGENTPRINT_HEADER_X_API_KEY: secret })).code).toBe(0);
    expect(workspace.lockText()).toContain("X-API-Key");
    expect(workspace.lockText()).not.toContain(secret);
    expect((await workspace.run(["check"], { AGENTPRINT_HEADER_X_API_KEY: secret })).code).toBe(0);
    expect((await workspace.run(["check"])).code).toBe(2);
    const wrong = await workspace.run(["check"], { AGENTPRINT_HEADER_X_API_KEY: "wrong" });
    expect(wrong.code).toBe(2);
    expect(wrong.stdout).toContain("\\u{1b}[31mwho are you?");
  });

  test("shows no header value that cannot be sent", async () => {
    server = await httpServer(({ id }, response) => sendJson(response, tools(good, id)));
    const secret = "first line\nsecond line";
    const run = await workspace.run(["pin", "--url", server.url, "--header", "X"], { AGENTPRINT_HEADER_X: secret });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("the request header X cannot be sent");
    expect(run.stderr).not.toContain("second line");
  });

  // A string from `repeat` is not contiguous in memory, and Node takes seconds to send it.
  const huge = Buffer.alloc(100_000_000, "x").toString("latin1");
  const duplicate = '{"name":"read","description":"good","description":"bad","inputSchema":{}}';
  test.each([
    { name: "duplicate keys in JSON", text: duplicate, send: sendJson, says: ["server-garbage", "duplicate-key"] },
    { name: "duplicate keys in an event", text: duplicate, send: sendEvent, says: ["server-garbage", "duplicate-key"] },
    {
      name: "a lone surrogate",
      text: '{"name":"\\ud800"}',
      send: sendEvent,
      says: ["server-garbage", "lone-surrogate"],
    },
    {
      name: "JSON 1e6 deep",
      text: `{"name":"deep","inputSchema":${"[".repeat(1e6)}${"]".repeat(1e6)}}`,
      send: sendJson,
      says: ["server-garbage", "too-deep"],
    },
    { name: "no JSON", text: "nonsense", send: sendJson, says: ["server-garbage"] },
    { name: "100 MB", text: huge, send: sendJson, says: ["server-limit"] },
    { name: "an event of 100 MB", text: huge, send: sendEvent, says: ["server-limit"] },
  ])("refuses $name", async ({ text, send, says }) => {
    server = await httpServer(({ id }, response) => send(response, tools(text, id)));
    const run = await workspace.run(["pin", "--name", "it", "--url", server.url]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    for (const words of says) expect(run.stderr).toContain(words);
  });

  test("gives up on an answer that never ends", async () => {
    server = await httpServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": wait\n\n");
    });
    const run = await workspace.run(["pin", "--url", server.url], {}, { requestTimeout: 500 });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("server-timeout");
  });

  test.each([
    { status: 401, says: ["HTTP 401 Unauthorized", "--header"] },
    { status: 403, says: ["HTTP 403 Forbidden", "--header"] },
    { status: 404, says: ["HTTP 404 Not Found", "check the URL"] },
    { status: 503, says: ["HTTP 503 Service Unavailable"] },
  ])("shows the status of an empty answer, $status", async ({ status, says }) => {
    server = await httpServer((_request, response) => response.writeHead(status).end());
    const run = await workspace.run(["pin", "--url", server.url]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    for (const words of [...says, "server-unreachable"]) expect(run.stderr).toContain(words);
  });

  const long = "\u001b[31mno".repeat(500_000);
  test.each<{ name: string; answer: (id: number | undefined, response: ServerResponse) => void }>([
    { name: "an HTTP error", answer: (_id, response) => response.writeHead(500).end(long) },
    {
      name: "a JSON-RPC error",
      answer: (id, response) =>
        sendJson(response, JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32000, message: long } })),
    },
    {
      name: "an answer to nothing",
      answer: (_id, response) => sendJson(response, JSON.stringify({ jsonrpc: "2.0", id: long, result: {} })),
    },
    {
      name: "a content type",
      answer: (_id, response) => response.writeHead(200, { "content-type": `text/${"x".repeat(10_000)}` }).end(),
    },
  ])("shows the beginning of the server's text in $name", async ({ answer }) => {
    server = await httpServer(({ id }, response) => answer(id, response));
    const run = await workspace.run(["pin", "--url", server.url]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr.length).toBeLessThan(2000);
    expect(run.stderr).not.toContain("\u001b");
  });

  test("does not follow to another host", async () => {
    server = await httpServer((_request, response) => {
      response.writeHead(307, { location: "http://127.0.0.2:9/elsewhere" }).end();
    });
    const run = await workspace.run(["pin", "--url", server.url]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("server-unreachable");
  });
});
