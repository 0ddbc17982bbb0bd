import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** How a server ends a stream after some of its events. */
export interface Break {
  readonly how: "ends" | "is reset" | "is reset within an event";
  /** The number of events that a client receives before the break. */
  readonly after: number;
}

/** The number of messages that a call sends before its result. */
export const MESSAGES = 3;

/**
 * Starts a server of an old era that stores its events, and breaks the streams of calls as configured, once per stream.
 */
export async function breakingServer(breaks: Break[]): Promise<string> {
  const events = new Map<string, string[]>();
  /** Writes the events of a call, starting at an index. */
  const write = (response: ServerResponse, call: string, from: number): void => {
    const all = events.get(call) ?? [];
    const { how, after } = breaks.shift() ?? { how: "ends", after: all.length };
    response.writeHead(200, { "content-type": "text/event-stream", "mcp-session-id": "s" });
    const until = Math.min(all.length, from + after);
    for (let index = from; index < until; index++) response.write(eventOf(call, index, all));
    if (how === "ends") {
      response.end();
      return;
    }
    const part = how === "is reset" || until >= all.length ? "" : eventOf(call, until, all).slice(0, -9);
    // The guard still receives the events written before the reset.
    response.write(part || ":\n", () => setImmediate(() => response.destroy()));
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const last = request.headers["last-event-id"];
    if (request.method === "GET" && typeof last === "string") {
      const [call = "", index] = last.split("/");
      return write(response, call, Number(index) + 1);
    }
    const { id, method } = JSON.parse(body || "{}");
    if (id === undefined) return void response.writeHead(request.method === "POST" ? 202 : 405).end();
    if (method === "tools/call") {
      const notices = Array.from({ length: MESSAGES }, (_, data) => ({
        method: "notifications/message",
        params: { level: "info", data },
      }));
      const all = [...notices, { id, result: { content: [{ type: "text", text: "counted" }] } }];
      events.set(String(id), ["", ...all.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }))]);
      return write(response, String(id), 0);
    }
    const tools = [{ name: "count", inputSchema: { type: "object" } }];
    const greeting = {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {}, logging: {} },
      serverInfo: { name: "b", version: "1" },
    };
    const result = method === "initialize" ? greeting : { tools };
    response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "s" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

function eventOf(call: string, index: number, all: readonly string[]): string {
  return `id: ${call}/${index}\ndata: ${all[index]}\n\n`;
}
