import { createInterface } from "node:readline";

export interface Request {
  readonly id: number;
  readonly method: string;
  readonly params?: { readonly cursor?: string; readonly capabilities?: object };
}

/**
 * Just enough of an MCP server with the handshake to misbehave with. The requests of the capabilities are given to
 * `answer`; `initialize` and `ping` are answered well, what the server does not know as a server does.
 */
export function serve(answer: (request: Request) => void, capabilities: object = { tools: {} }): void {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const request = JSON.parse(line) as Partial<Request>;
    if (request.id === undefined) return;
    if (request.method === "initialize") {
      const serverInfo = { name: "hostile", version: "1.0.0" };
      sendResult(request.id, { protocolVersion: "2025-11-25", capabilities, serverInfo });
    } else if (request.method === "ping") sendResult(request.id, {});
    else if ((request.method?.split("/")[0] ?? "") in capabilities) answer(request as Request);
    else sendError(request.id, -32_601, "Method not found");
  });
}

export function sendResult(id: number | string, result: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
}

export function sendError(id: number, code: number, message: string): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })}\n`);
}

/** Answers `tools/list` with tools written as JSON text, exactly as given. */
export function sendToolsText(id: number, tools: string): void {
  process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"tools":${tools}}}\n`);
}

export function tool(name: string, description = "harmless"): object {
  return { name, description, inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };
}
