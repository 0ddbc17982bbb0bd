import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { type EventStore, StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import { makeServer as makeServerV1 } from "./sdk-v1.ts";
import { makeServer as makeServerV2 } from "./sdk-v2.ts";

/** A request as it reached a server. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  /** The parsed body; absent for a request without a body. */
  readonly body?: { readonly id?: number; readonly method?: string; readonly params?: Record<string, unknown> };
}

export interface RunningServer extends Disposable {
  readonly url: string;
  readonly seen: readonly Seen[];
}

type Handle = (request: IncomingMessage, response: ServerResponse, seen: Seen) => unknown;

/** Starts a server on a free port of this machine that notes each request before it is handled. */
export async function listen(handle: Handle): Promise<RunningServer> {
  const seen: Seen[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { method = "", url = "", headers } = request;
    const entry = { method, url, headers, ...(text !== "" && { body: JSON.parse(text) }) };
    seen.push(entry);
    await handle(request, response, entry);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/mcp`,
    seen,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Starts a server with the official SDK for 2026-07-28 over HTTP. */
export async function sdkV2(
  legacy: "stateless" | "reject",
): Promise<RunningServer & { readonly handler: McpHttpHandler }> {
  const handler = createMcpHandler(makeServerV2, { legacy });
  const handle = toNodeHandler(handler);
  const server = await listen((request, response, { body }) =>
    handle(request as Parameters<typeof handle>[0], response, body),
  );
  return { ...server, handler, [Symbol.dispose]: () => server[Symbol.dispose]() };
}

/**
 * Starts a server with the official SDK for the handshake versions over streamable HTTP, with sessions; with a store,
 * lost streams can be resumed.
 */
export async function sdkV1(
  makeServer: typeof makeServerV1 = makeServerV1,
  eventStore?: EventStore,
): Promise<RunningServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return listen(async (request, response, { headers, body }) => {
    let transport = sessions.get(String(headers["mcp-session-id"]));
    if (!transport && body?.method === "initialize") {
      const created = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        ...(eventStore && { eventStore }),
        onsessioninitialized: (id) => void sessions.set(id, created),
      });
      transport = created;
      await makeServer().connect(created as Parameters<ReturnType<typeof makeServerV1>["connect"]>[0]);
    }
    if (transport) return transport.handleRequest(request, response, body);
    response
      .writeHead(400)
      .end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message: "No session" }, id: null }));
  });
}

/** Starts a server with the official SDK over HTTP+SSE of version 2024-11-05. */
export async function sdkSse(): Promise<RunningServer> {
  const sessions = new Map<string, SSEServerTransport>();
  return listen(async ({ method, url = "" }, response, { body }) => {
    if (method === "GET") {
      const transport = new SSEServerTransport("/messages", response);
      sessions.set(transport.sessionId, transport);
      return makeServerV1().connect(transport);
    }
    const transport = sessions.get(new URL(url, "http://x").searchParams.get("sessionId") ?? "");
    if (!transport || !url.startsWith("/messages")) return response.writeHead(404).end("Cannot POST /mcp");
    return transport.handlePostMessage(
      Object.assign(Object.create(null), { headers: { "content-type": "application/json" } }),
      response,
      body,
    );
  });
}
