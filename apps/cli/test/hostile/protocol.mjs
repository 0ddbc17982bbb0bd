import { createInterface } from "node:readline";

// The servers in this folder are not TypeScript: hundreds of them are started, and Node takes longer to strip types
// than to run them.

/**
 * A minimal MCP server with the handshake, for servers that misbehave. Passes requests for its capabilities to
 * `answer`, each with `id`, `method` and `params`; answers `initialize`, `ping` and unknown requests as a correct
 * server does.
 */
export function serve(answer, capabilities) {
  listen(receiver(answer, replies(write), capabilities));
}

/**
 * Serves a server that `support/memory-channel.ts` also runs without a process; `start` receives its arguments, its
 * environment and `write`. The server need not be its process's main module, but in a test process, which that file
 * marks, it serves nothing by itself.
 */
export function serveAlone(start) {
  if (!globalThis.isTestOfAgentprint) listen(start({ args: process.argv.slice(2), env: process.env, write }));
}

/** Returns the function that takes each of a client's messages; it gives `answer` the functions that send responses. */
export function receiver(answer, { sendResult, sendError }, capabilities = { tools: {} }) {
  return (request) => {
    if (request.id === undefined) return;
    if (request.method === "initialize") {
      const serverInfo = { name: "hostile", version: "1.0.0" };
      sendResult(request.id, { protocolVersion: "2025-11-25", capabilities, serverInfo });
    } else if (request.method === "ping") sendResult(request.id, {});
    else if ((request.method?.split("/")[0] ?? "") in capabilities) answer(request);
    else sendError(request.id, -32_601, "Method not found");
  };
}

/** Returns functions that send a server's messages as text to `write`. */
export function replies(write) {
  const send = (message) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    sendResult: (id, result) => send({ id, result }),
    sendError: (id, code, message) => send({ id, error: { code, message } }),
    sendNotification: (method) => send({ method }),
    /** Answers `tools/list` with tools written as JSON text, exactly as given. */
    sendToolsText: (id, tools) => write(`{"jsonrpc":"2.0","id":${id},"result":{"tools":${tools}}}\n`),
  };
}

export const { sendResult, sendError, sendNotification, sendToolsText } = replies(write);

export function tool(name, description = "harmless") {
  return { name, description, inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };
}

function write(text) {
  process.stdout.write(text);
}

function listen(receive) {
  createInterface({ input: process.stdin }).on("line", (line) => receive(JSON.parse(line)));
}
