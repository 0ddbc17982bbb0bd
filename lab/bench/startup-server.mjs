// A server with one tool, which answers immediately and exits when its input ends.
import { createInterface } from "node:readline";

const tool = {
  name: "add",
  description: "Adds",
  inputSchema: { type: "object", properties: { a: { type: "number" } } },
};

function answerTo({ method, params }) {
  if (method === "tools/list") return { result: { tools: [tool] } };
  if (method !== "initialize") return { error: { code: -32601, message: "Method not found" } };
  const { protocolVersion } = params;
  return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "add", version: "1" } } };
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answerTo(message) })}\n`);
});
