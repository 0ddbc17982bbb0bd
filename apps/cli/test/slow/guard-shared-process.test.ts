import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { listening, postCall } from "../guard/support.ts";
import { Workspace } from "../support/workspace.ts";

/**
 * A server of the new era that answers a call with its arguments, after progress; it never answers a call without
 * arguments.
 */
const SERVER = `
import { createInterface } from "node:readline";
import { appendFileSync } from "node:fs";
const version = "io.modelcontextprotocol/serverInfo";
const about = { resultType: "complete", _meta: { [version]: { name: "slow", version: "1" } } };
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
createInterface({ input: process.stdin }).on("line", (line) => {
  appendFileSync("seen.log", line + "\\n");
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === "server/discover") return send({ id, result: { ...about, supportedVersions: ["2026-07-28"], capabilities: { tools: {} } } });
  if (method === "tools/list") return send({ id, result: { ...about, ttlMs: 0, cacheScope: "private", tools: [{ name: "slow", inputSchema: { type: "object" } }] } });
  if (method !== "tools/call") return send({ id, error: { code: -32601, message: "Method not found" } });
  const { text } = params.arguments;
  if (text === undefined) return;
  const progressToken = params._meta.progressToken;
  if (progressToken !== undefined) send({ method: "notifications/progress", params: { progressToken, progress: 1 } });
  setTimeout(() => send({ id, result: { ...about, content: [{ type: "text", text }] } }), 50);
});
`;

async function pinned(): Promise<Workspace> {
  const space = new Workspace();
  writeFileSync(space.path("server.mjs"), SERVER);
  const { code, stderr } = await space.run(["pin", "--name", "slow", "--", process.execPath, "server.mjs"]);
  if (code !== 0) throw new Error(stderr);
  writeFileSync(space.path("seen.log"), "");
  return space;
}

test("clients that use one id and one token receive their own answers from one process", async () => {
  using space = await pinned();
  await using guard = await listening(space, ["slow"]);
  const texts = ["a", "b", "c", "d"];
  const answers = await Promise.all(texts.map(async (text) => (await postCall(guard.url, "slow", { text })).text()));
  for (const [index, answer] of answers.entries()) {
    const messages = [...answer.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""));
    expect(messages).toMatchObject([
      { method: "notifications/progress", params: { progressToken: 1 } },
      { id: 1, result: { content: [{ text: texts[index] }] } },
    ]);
  }
  const seen = readFileSync(space.path("seen.log"), "utf8").trim().split("\n");
  const ids = seen.map((line) => JSON.parse(line).id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("a client that disconnects causes one cancellation", async () => {
  using space = await pinned();
  await using guard = await listening(space, ["slow"]);
  const leaving = new AbortController();
  const left = postCall(guard.url, "slow", {}, { signal: leaving.signal }).catch(() => "left");
  const seen = () =>
    readFileSync(space.path("seen.log"), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  while (!seen().some(({ method }) => method === "tools/call")) await sleep(20);
  leaving.abort();
  expect(await left).toBe("left");
  const cancelled = () => seen().filter(({ method }) => method === "notifications/cancelled");
  while (cancelled().length === 0) await sleep(20);
  await (await postCall(guard.url, "slow", { text: "after" })).text();
  const { id } = seen().find(({ method }) => method === "tools/call");
  expect(cancelled()).toMatchObject([{ params: { requestId: id } }]);
});
