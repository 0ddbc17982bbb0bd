import { createInterface } from "node:readline";

// The servers in this folder are no TypeScript: hundreds of them are started, and Node takes longer to strip types than
// to run them.

/**
 * Just enough of an MCP server with the handshake to misbehave with. The requests of the capabilities are given to
 * `answer`, each with `id`, `method` and `params`; `initialize` and `ping` are answered well, what the server does not
 * know as a server does.
 */
export function serve(answer, capabilities = { tools: {} }) {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const request = JSON.parse(line);
    if (request.id === undefined) return;
    if (request.method === "initialize") {
      const serverInfo = { name: "hostile", version: "1.0.0" };
      sendResult(request.id, { protocolVersion: "2025-11-25", capabilities, serverInfo });
    } else if (request.method === "ping") sendResult(request.id, {});
    else if ((request.method?.split("/")[0] ?? "") in capabilities) answer(request);
    else sendError(request.id, -32_601, "Method not found");
  });
}

export function sendResult(id, result) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
}

export function sendError(id, code, message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })}\n`);
}

export function sendNotification(method) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", method })}\n`);
}

/** Answers `tools/list` with tools written as JSON text, exactly as given. */
export function sendToolsText(id, tools) {
  process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"tools":${tools}}}\n`);
}

export function tool(name, description = "harmless") {
  return { name, description, inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };
}
