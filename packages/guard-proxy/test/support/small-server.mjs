// A server of the eras with the handshake that takes a moment before it writes anything. Its tool answers with the
// process id.
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";

const loaded = setTimeout(100);

const RESULTS = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "small", version: "1.0.0" },
  },
  "tools/list": { tools: [{ name: "who", inputSchema: { type: "object" } }] },
  "tools/call": { content: [{ type: "text", text: String(process.pid) }] },
};

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method } = JSON.parse(line);
  await loaded;
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: RESULTS[method] }));
});
