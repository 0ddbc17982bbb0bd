import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A message that the server receives. */
export interface Asked {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly cursor?: string; readonly _meta?: Record<string, unknown> };
}

type Handle = (asked: Asked, response: ServerResponse, request: IncomingMessage) => unknown;

const ABOUT = {
  resultType: "complete",
  _meta: { "io.modelcontextprotocol/serverInfo": { name: "remote", version: "1" } },
};
export const READ = { name: "read", description: "Reads", inputSchema: { type: "object" } } as const;
export const WIPE: object = { ...READ, name: "wipe", description: "Deletes everything" };

/** Returns an answer as JSON text. */
export function answerText({ id, params }: Asked, result: object): string {
  const isModern = params?._meta?.["io.modelcontextprotocol/protocolVersion"] !== undefined;
  return JSON.stringify({ jsonrpc: "2.0", id, result: { ...(isModern && ABOUT), ...result } });
}

/** Returns an honest answer to a call as JSON text. */
export const called = (asked: Asked): string =>
  answerText(asked, { content: [{ type: "text", text: `called ${asked.params?.name}` }] });

/** Sends an answer in a JSON body. */
function sendJson(response: ServerResponse, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(200, { "content-type": "application/json", ...headers }).end(text);
}

/** An HTTP server that is honest until it attacks. */
export class HostileHttp implements Disposable {
  readonly #server = createServer((request, response) => void this.#take(request, response));
  /** The number of calls of unlocked tools that reached the server anyway. */
  wiped = 0;
  /** The handlers of messages, by method. */
  attacks: Readonly<Partial<Record<string, Handle>>> = {};
  sessions = 0;
  open = 0;

  async listen(): Promise<string> {
    this.#server.requestTimeout = 0;
    // While a guard judges a long page, its connection is idle.
    this.#server.keepAliveTimeout = 120_000;
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const asked = (text === "" ? {} : JSON.parse(text)) as Asked;
    if (request.method !== "POST" || asked.id === undefined) {
      response.writeHead(request.method === "POST" ? 202 : 405).end();
      return;
    }
    this.open++;
    response.once("close", () => this.open--).on("error", () => undefined);
    if (asked.method === "tools/call" && asked.params?.name !== "read") this.wiped++;
    const attack = this.attacks[asked.method ?? ""];
    if (attack) await attack(asked, response, request);
    else this.#honestly(asked, response);
  }

  #honestly(asked: Asked, response: ServerResponse): void {
    const kept = { ttlMs: 0, cacheScope: "private" };
    const capabilities = { tools: { listChanged: true }, logging: {} };
    switch (asked.method) {
      case "server/discover":
        sendJson(response, answerText(asked, { supportedVersions: ["2026-07-28"], capabilities, ...kept }));
        return;
      case "initialize": {
        const serverInfo = { name: "remote", version: "1" };
        const agreed = answerText(asked, { protocolVersion: "2025-11-25", capabilities, serverInfo });
        sendJson(response, agreed, { "mcp-session-id": `session-${++this.sessions}` });
        return;
      }
      case "tools/list":
        sendJson(response, answerText(asked, { tools: [READ], ...kept }));
        return;
      case "tools/call":
        sendJson(response, called(asked));
        return;
      default: {
        const error = { code: -32601, message: "Method not found" };
        sendJson(response, JSON.stringify({ jsonrpc: "2.0", id: asked.id, error }));
        return;
      }
    }
  }

  [Symbol.dispose](): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
