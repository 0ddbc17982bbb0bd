import {
  listen,
  type RunningServer,
  type Seen,
  sdkSse,
  sdkV1,
  sdkV2,
} from "@agentprint/testing/mcp-servers/http-servers";
import { describe, expect, test } from "vitest";
import { type HttpAuthorization, visitServer } from "../src/index.ts";
import { at, options, tool, toolNames } from "./support/targets.ts";

const quick = options({ settle: 1 });
const posts = (seen: readonly Seen[]): Seen[] => seen.filter(({ method }) => method === "POST");

describe("official servers over HTTP", () => {
  test("are read in the modern era only, where they reject the handshake", async () => {
    using server = await sdkV2("reject");
    const { sessions } = await visitServer(at(server.url), quick);
    expect(sessions.map(({ era }) => era)).toEqual(["modern"]);
    expect(toolNames(sessions[0])).toEqual(["weather"]);
    expect(sessions[0]?.lists.prompts).toHaveLength(2);
  });

  test("are read in both eras, with headers that repeat the request, and without a session in the modern era", async () => {
    using server = await sdkV2("stateless");
    const { sessions } = await visitServer(at(server.url), options({ settle: 1, contents: true }));
    expect(sessions.map(({ era }) => era)).toEqual(["legacy", "modern"]);
    expect(sessions.map(toolNames)).toEqual([["weather"], ["weather"]]);
    expect(sessions.map(({ contents }) => contents.map(({ kind, name }) => `${kind} ${name}`))).toEqual(
      Array(2).fill(["prompt greet", "resource file:///readme.txt"]),
    );
    const modern = posts(server.seen).filter(({ body }) => body?.params?.["_meta"] !== undefined);
    expect(modern.length).toBeGreaterThan(10);
    for (const { headers, body } of modern) {
      expect(headers).toMatchObject({ "mcp-protocol-version": "2026-07-28", "mcp-method": body?.method });
      expect(headers["mcp-name"]).toBe(body?.params?.["uri"] ?? body?.params?.["name"]);
      expect(headers).not.toHaveProperty("mcp-session-id");
      expect(headers.accept).toBe("application/json, text/event-stream");
      expect(headers["user-agent"]).toBe("claude-code/2.1.289 (cli)");
    }
    expect(modern.map(({ body }) => body?.method)).toContain("subscriptions/listen");
  });

  test("are read again when they announce a change on a subscription", async () => {
    using server = await sdkV2("reject");
    const asked = (): number => server.seen.filter(({ body }) => body?.method === "tools/list").length;
    const visiting = visitServer(at(server.url), options({ settle: 300 }));
    await expect
      .poll(() => server.seen.filter(({ body }) => body?.method === "server/discover").length, { interval: 5 })
      .toBe(2);
    const before = asked();
    server.handler.notify.toolsChanged();
    await visiting;
    expect(asked()).toBe(before + 2);
  });

  test("are read by their session and its event stream in the handshake era", async () => {
    using server = await sdkV1();
    const { sessions } = await visitServer(at(server.url), quick);
    expect(sessions.map(({ era }) => era)).toEqual(["legacy"]);
    expect(toolNames(sessions[0])).toEqual(["weather"]);
    const inSession = server.seen.filter(({ headers }) => headers["mcp-session-id"] !== undefined);
    expect(inSession.map(({ method }) => method)).toEqual(expect.arrayContaining(["POST", "GET", "DELETE"]));
    for (const { headers } of inSession) expect(headers["mcp-protocol-version"]).toBe("2025-11-25");
  });

  test("are read over HTTP+SSE", async () => {
    using server = await sdkSse();
    const { sessions } = await visitServer(at(server.url), quick);
    expect(sessions.map(({ era }) => era)).toEqual(["legacy"]);
    expect(toolNames(sessions[0])).toEqual(["weather"]);
  });
});

/** Starts a server of the handshake era that answers a probe as specified. */
function withProbe(status: number, body: string, type = "application/json"): Promise<RunningServer> {
  return listen((request, response, { body: message }) => {
    if (request.method !== "POST") return response.writeHead(405).end();
    if (message?.method === "server/discover") return response.writeHead(status, { "content-type": type }).end(body);
    return answer(response, message, { "tools/list": { tools: [tool("one")] } });
  });
}

function answer(
  response: Parameters<Parameters<typeof listen>[0]>[1],
  message: Seen["body"],
  results: Record<string, object>,
): unknown {
  if (message?.id === undefined) return response.writeHead(202).end();
  const serverInfo = { name: "raw", version: "1" };
  const known: Record<string, object> = {
    initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo },
    ping: {},
    ...results,
  };
  const result = known[message.method ?? ""];
  const error = { code: -32601, message: "Method not found" };
  const reply = result ? { jsonrpc: "2.0", id: message.id, result } : { jsonrpc: "2.0", id: message.id, error };
  return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(reply));
}

const rpcError = (code: number, data?: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 0, error: { code, message: "no", ...(data && { data }) } });

test("a server that asks without end fails the visit before its answers fill the memory", async () => {
  using server = await listen((request, response, { body: message }) => {
    if (request.method !== "POST") return response.writeHead(405).end();
    if (message?.method !== "tools/list") return answer(response, message, {});
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let id = 0; id < 1000; id++) response.write(`data: {"jsonrpc":"2.0","id":${id},"method":"ping"}\n\n`);
    return response;
  });
  await expect(visitServer(at(server.url), quick)).rejects.toMatchObject({
    code: "server-limit",
    message: expect.stringContaining("more than 100 requests"),
  });
  expect(server.seen.length).toBeLessThan(500);
});

describe("a probe over HTTP", () => {
  test.each([
    [400, ""],
    [400, "Bad Request: no session"],
    [400, rpcError(-32000)],
    [400, JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32000, message: "no session" } })],
    [400, JSON.stringify({ error: "server/discover -32022" })],
    [400, rpcError(-32022, { supported: ["2025-11-25"] })],
    [404, "Not found"],
    [404, rpcError(-32000)],
    [405, ""],
    [406, rpcError(-32000)],
    [200, rpcError(-32601)],
    [200, rpcError(-32602)],
    [500, "crash"],
  ])("that is answered with %i %s shows that there is no modern era", async (status, body) => {
    using server = await withProbe(status, body);
    const { sessions } = await visitServer(at(server.url), quick);
    expect(sessions.map(({ era }) => era)).toEqual(["legacy"]);
  });

  test.each([
    [400, rpcError(-32020), "server-error"],
    [400, rpcError(-32021), "server-error"],
    [400, rpcError(-32022, { supported: ["2031-01-01"] }), "server-error"],
    [200, rpcError(-32022), "server-error"],
    [200, '{"jsonrpc":"2.0","id":0,"id":0,"result":{}}', "server-garbage"],
    [401, "", "server-unreachable"],
    [403, "", "server-unreachable"],
    [429, "", "server-unreachable"],
    [503, "", "server-unreachable"],
  ])("that is answered with %i %s leaves it open, and fails the visit", async (status, body, code) => {
    using server = await withProbe(status, body);
    await expect(visitServer(at(server.url), quick)).rejects.toMatchObject({ code });
  });

  test("that is answered with 404 and method not found shows a modern server without that method", async () => {
    using server = await withProbe(404, rpcError(-32601));
    const { sessions } = await visitServer(at(server.url), quick);
    expect(sessions.map(({ era, greetings }) => [era, greetings.length])).toEqual([
      ["legacy", 1],
      ["modern", 0],
    ]);
  });

  test("that is not answered shows that there is no modern era", async () => {
    using server = await listen((request, response, { body }) => {
      if (request.method !== "POST") return response.writeHead(405).end();
      if (body?.method === "server/discover") return undefined;
      return answer(response, body, { "tools/list": { tools: [] } });
    });
    const { sessions } = await visitServer(at(server.url), options({ settle: 1, probeTimeout: 300 }));
    expect(sessions.map(({ era }) => era)).toEqual(["legacy"]);
  });
});

describe("over HTTP", () => {
  test("a redirect within the origin is followed, with its headers", async () => {
    using server = await listen((request, response, { body }) => {
      if (request.url === "/mcp") return response.writeHead(308, { location: "/other" }).end();
      if (request.method !== "POST") return response.writeHead(405).end();
      return answer(response, body, { "tools/list": { tools: [tool("one")] } });
    });
    const { sessions } = await visitServer(at(server.url, { "x-key": "secret" }), quick);
    expect(toolNames(sessions[0])).toEqual(["one"]);
    for (const { headers } of server.seen) expect(headers["x-key"]).toBe("secret");
  });

  test("each request is authorized by its method and address, behind a redirect, too", async () => {
    using server = await listen((request, response, { body }) => {
      if (request.url === "/mcp") return response.writeHead(308, { location: "/other" }).end();
      if (request.method !== "POST") return response.writeHead(405).end();
      return answer(response, body, { "tools/list": { tools: [tool("one")] } });
    });
    const authorization: HttpAuthorization = {
      headers: async ({ method, address }) => ({ "x-proof": `${method} ${address}` }),
      refused: async () => false,
    };
    await visitServer({ ...at(server.url), authorization }, quick);
    expect(server.seen.map(({ url }) => url)).toContain("/other");
    for (const { method, url, headers } of server.seen) {
      expect(headers["x-proof"]).toBe(`${method} ${new URL(url, server.url)}`);
    }
  });

  test("a redirect to another origin is not followed", async () => {
    using other = await listen((_request, response) => response.writeHead(200).end());
    using server = await listen((_request, response) => response.writeHead(307, { location: other.url }).end());
    const visit = visitServer(at(server.url, { authorization: "Bearer secret", "x-key": "secret" }), quick);
    await expect(visit).rejects.toMatchObject({ code: "server-unreachable" });
    expect(other.seen).toEqual([]);
  });

  test("an old server that sends messages to another origin is refused", async () => {
    using other = await listen((_request, response) => response.writeHead(202).end());
    using server = await listen((request, response) => {
      if (request.method !== "GET") return response.writeHead(404).end();
      return response
        .writeHead(200, { "content-type": "text/event-stream" })
        .write(`event: endpoint\ndata: ${other.url}\n\n`);
    });
    await expect(visitServer(at(server.url, { "x-key": "secret" }), quick)).rejects.toMatchObject({
      code: "server-unreachable",
    });
    expect(other.seen).toEqual([]);
  });

  test("credentials in the URL are sent as Basic credentials", async () => {
    using server = await listen((_request, response) => response.writeHead(401).end());
    const url = server.url.replace("//", "//us%40er:pass@");
    await expect(visitServer(at(url), quick)).rejects.toMatchObject({ code: "server-unreachable" });
    expect(server.seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from("us@er:pass").toString("base64")}`);
  });

  test("a stream that breaks continues after its last event", async () => {
    using server = await listen((request, response, { body, headers }) => {
      const stream = { "content-type": "text/event-stream" };
      if (headers["last-event-id"] === "7") {
        const result = { tools: [tool("late")] };
        const id = server.seen.filter(({ body: asked }) => asked?.method === "tools/list").at(-1)?.body?.id;
        return response.writeHead(200, stream).end(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
      }
      if (request.method !== "POST") return response.writeHead(405).end();
      if (body?.method === "tools/list") return response.writeHead(200, stream).end("id: 7\nretry: 10\ndata:\n\n");
      return answer(response, body, {});
    });
    const { sessions } = await visitServer(at(server.url), options({ settle: 1, protocol: "legacy" }));
    expect(toolNames(sessions[0])).toEqual(["late"]);
  });

  test.each(["ftp://127.0.0.1/", "no address", "file:///etc/passwd"])("%s is refused as a target", async (url) => {
    await expect(visitServer(at(url), quick)).rejects.toMatchObject({ code: "invalid-target" });
  });
});
