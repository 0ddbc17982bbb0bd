import { createInterface } from "node:readline";

// The servers in this folder are not TypeScript: hundreds of them are started, and Node takes longer to strip types
// than to run them.

/**
 * The minimum of an MCP server with the handshake, for misbehaviour. The requests of the capabilities are passed to
 * `answer`, each with `id`, `method` and `params`; `initialize` and `ping` are answered correctly, and unknown requests
 * as a correct server answers them.
 */
export function serve(answer, capabilities) {
  listen(receiver(answer, replies(write), capabilities));
}

/**
 * Serves a server that `support/memory-channel.ts` also runs without a process: its `start` takes what a process has. It need not be
 * the main module of its process, but in a process of tests, which that file marks, it serves nothing by itself.
 */
export function serveAlone(start) {
  if (!globalThis.isTestOfAgentprint) listen(start({ args: process.argv.slice(2), env: process.env, write }));
}

/** Returns the function that takes each message of a client, and gives `answer` the responses of `serve`. */
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

/** The messages of a server, which `write` takes as text. */
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
