// A server of both eras that answers each request, and sends the next lines of `said.jsonl` before or after each
// answer.
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** Lines for one request. */
const AT_ONCE = 20;
const lines = existsSync("said.jsonl") ? readFileSync("said.jsonl", "utf8").split("\n").filter(Boolean) : [];
const inputSchema = { type: "object", properties: { path: { type: "string" } } };
const serverInfo = { name: "any", version: "1" };
let next = 0;

function resultOf({ method, params }) {
  const isModern = params?._meta?.["io.modelcontextprotocol/protocolVersion"] !== undefined;
  const about = isModern ? { resultType: "complete", ttlMs: 0, cacheScope: "private" } : {};
  if (method === "initialize") return { protocolVersion: "2025-03-26", capabilities: { tools: {} }, serverInfo };
  if (method === "server/discover") {
    return {
      ...about,
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
    };
  }
  if (method === "tools/list") return { ...about, tools: [{ name: "read_file", inputSchema }] };
  return { ...about, content: [{ type: "text", text: "answered" }] };
}

const say = (line) => process.stdout.write(`${line}\n`);
const sayNext = (id) => {
  for (const line of lines.slice(next, next + AT_ONCE)) say(line.replaceAll('"r"', id));
  next += AT_ONCE;
};

// These are sent before the first message.
sayNext("0");
createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  for (const each of [message].flat()) {
    if (typeof each !== "object" || each === null || !("id" in each) || typeof each.method !== "string") continue;
    const id = JSON.stringify(each.id);
    const answer = JSON.stringify({ jsonrpc: "2.0", id: each.id, result: resultOf(each) });
    const isAnsweredFirst = Math.floor(next / AT_ONCE) % 2 === 0;
    if (isAnsweredFirst) say(answer);
    sayNext(id);
    if (!isAnsweredFirst) say(answer);
  }
});
