import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

interface Request {
  readonly id?: number;
  readonly method: string;
}

type Answer = (request: Request, response: ServerResponse, incoming: IncomingMessage) => void;

/**
 * Starts a real HTTP server that opens an MCP session correctly; `answer` handles all other requests, and `end` the end
 * of the session.
 */
export async function httpServer(
  answer: Answer,
  end: (response: ServerResponse) => void = (response) => response.writeHead(204).end(),
): Promise<{ url: string; close(): void }> {
  const server = createServer(async (incoming, response) => {
    if (incoming.method === "DELETE") return end(response);
    if (incoming.method !== "POST") return void response.writeHead(405).end();
    let body = "";
    for await (const chunk of incoming) body += chunk;
    const request = JSON.parse(body) as Request;
    if (request.id === undefined) return void response.writeHead(202).end();
    if (request.method !== "initialize") return answer(request, response, incoming);
    const serverInfo = { name: "hostile", version: "1.0.0" };
    const result = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
    response.setHeader("mcp-session-id", "one");
    sendJson(response, JSON.stringify({ jsonrpc: "2.0", id: request.id, result }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export function sendJson(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end(text);
}

export function sendEvent(response: ServerResponse, data: string): void {
  response.writeHead(200, { "content-type": "text/event-stream" }).end(`event: message\ndata: ${data}\n\n`);
}
