// A server of both eras that hangs, dies, floods or lists as many tools as `count.txt` states. `seen.log` contains each
// call that reached it.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const count = existsSync("count.txt") ? Number(readFileSync("count.txt", "utf8")) : 0;
const names = ["echo", "hang", "die", "flood", ...Array.from({ length: count }, (_, index) => `tool_${index}`)];
const inputSchema = { type: "object", properties: { text: { type: "string" } } };
const tools = names.map((name) => ({ name, description: "x".repeat(100), inputSchema }));
const serverInfo = { name: "faults", version: "1" };
const capabilities = { tools: {} };

writeFileSync("pid", String(process.pid));

function resultOf(method, params) {
  const isModern = params?._meta?.["io.modelcontextprotocol/protocolVersion"] !== undefined;
  const about = isModern ? { resultType: "complete" } : {};
  switch (method) {
    case "initialize":
      return { protocolVersion: params.protocolVersion, capabilities, serverInfo };
    case "server/discover":
      return {
        ...about,
        supportedVersions: ["2026-07-28"],
        capabilities,
        ttlMs: 0,
        cacheScope: "private",
        _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
      };
    case "tools/list":
      return { ...about, ...(isModern && { ttlMs: 0, cacheScope: "private" }), tools };
    case "tools/call":
      return { ...about, content: [{ type: "text", text: String(params.arguments?.text) }] };
  }
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

/** Writes more than a reader can store, for as long as the other side reads. */
function flood(progressToken) {
  const message = "x".repeat(1024 * 1024);
  const next = () => {
    while (send({ method: "notifications/progress", params: { progressToken, progress: 1, message } }));
    process.stdout.once("drain", next);
  };
  next();
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === "tools/call") {
    appendFileSync("seen.log", `${params.name} ${params.arguments?.text ?? ""}\n`);
    if (params.name === "hang") return;
    if (params.name === "die") process.exit(9);
    if (params.name === "flood") return flood(params._meta.progressToken);
  }
  const result = resultOf(method, params);
  send(result ? { id, result } : { id, error: { code: -32601, message: "Method not found" } });
});
