import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { REPOSITORY } from "@agentprint/testing/repository";
import { expect, test } from "vitest";
import { ONE_ERA } from "../support/short-visits.ts";
import { Workspace } from "../support/workspace.ts";
import { Guarded, GuardedHere, INITIALIZE, isRunning } from "./guarded.ts";

/** A server that writes its process id and environment, echoes requests, and exits with 7 when its input ends. */
const SERVER = `
import { createInterface } from "node:readline";
import { writeFileSync } from "node:fs";
const serverInfo = { name: "echo", version: "1" };
const results = {
  initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo },
  "tools/list": { tools: [{ name: "echo", inputSchema: { type: "object" } }] },
};
writeFileSync("env.json", JSON.stringify([process.pid, process.env, process.argv]));
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (params?.name === "hang") return;
  const text = method === "tools/call" ? '{"content":[{"type":"text","text":"caf\\\\u00e9"}], "structuredContent": {"big": 12345678901234567890}}' : JSON.stringify(results[method]);
  console.log(text ? '{"jsonrpc":"2.0", "id":' + JSON.stringify(id) + ',"result":' + text + '}' : JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }));
});
lines.on("close", () => process.exit(7));
process.on("SIGTERM", () => { writeFileSync("signal", "SIGTERM"); process.exit(0); });
`;

const CALL = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "echo", arguments: {} } };

async function pinned(): Promise<Workspace> {
  const space = new Workspace(ONE_ERA);
  writeFileSync(space.path("server.mjs"), SERVER);
  const env = { SECRET_KEY: "value-of-the-key" };
  const { code, stderr } = await space.run(
    ["pin", "--name", "echo", "--env", "SECRET_KEY", "--", process.execPath, "server.mjs"],
    env,
  );
  if (code !== 0) throw new Error(stderr);
  return space;
}

const launched = (space: Workspace): [pid: number, env: Record<string, string>, argv: string[]] =>
  JSON.parse(readFileSync(space.path("env.json"), "utf8"));

test("messages pass byte for byte, and the exit code is the server's", async () => {
  using space = await pinned();
  await using guarded = await Guarded.start(space, "echo");
  guarded.send(INITIALIZE);
  expect(JSON.parse(await guarded.line())).toMatchObject({ id: 0, result: { serverInfo: { name: "echo" } } });
  guarded.send({ jsonrpc: "2.0", method: "notifications/initialized" }, CALL);
  expect(await guarded.line()).toBe(
    '{"jsonrpc":"2.0", "id":1,"result":{"content":[{"type":"text","text":"caf\\u00e9"}], "structuredContent": {"big": 12345678901234567890}}}',
  );
  const [pid, env, argv] = launched(space);
  expect(env).toMatchObject({ SECRET_KEY: "value-of-the-key" });
  expect(env).not.toHaveProperty("OTHER_KEY");
  // A clone of the repository has this name, too, and contains Node.
  const seen = JSON.stringify([env, argv]).replaceAll(space.folder, "").replaceAll(REPOSITORY, "");
  expect(seen).not.toMatch(/agentprint/i);
  guarded.child.stdin?.end();
  expect(await guarded.end()).toEqual([7, null]);
  expect(isRunning(pid)).toBe(false);
});

test("a signal is passed to the server, no process is left, and the record is complete", async () => {
  using space = await pinned();
  await using guarded = await Guarded.start(space, "echo", "--record", "trail", "--record-key", "recorder.key");
  guarded.send(INITIALIZE);
  await guarded.line();
  guarded.send({ jsonrpc: "2.0", method: "notifications/initialized" }, CALL);
  await guarded.line();
  guarded.child.kill("SIGTERM");
  expect(await guarded.end()).toEqual([null, "SIGTERM"]);
  expect(readFileSync(space.path("signal"), "utf8")).toBe("SIGTERM");
  expect(isRunning(launched(space)[0])).toBe(false);
  const log = await space.run(["guard", "log", "--record", "trail", "--record-key", "recorder.key"]);
  expect(log.stdout).toMatch(/call +echo › echo passed/);
  expect(log.stdout).not.toContain("not ended");
});

test("a replaced lock is used from then on, and a broken one is not", async () => {
  using space = await pinned();
  const lock = space.lockText();
  await using guarded = new GuardedHere(space, "echo");
  guarded.send(INITIALIZE);
  await guarded.line();
  guarded.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  const replace = (text: string): void => {
    writeFileSync(space.path("next"), text);
    renameSync(space.path("next"), space.path("agentprint.lock"));
  };
  replace("{ no lock");
  await guarded.says("keeps using the lock");
  guarded.send(CALL);
  expect(JSON.parse(await guarded.line())).toMatchObject({ id: 1, result: { content: [{}] } });

  const other = await pinned();
  using _other = other;
  writeFileSync(other.path("server.mjs"), SERVER.replace('name: "echo", inputSchema', 'name: "other", inputSchema'));
  expect((await other.run(["approve", "echo", "--yes"], { SECRET_KEY: "value-of-the-key" })).code).toBe(0);
  replace(other.lockText());
  for (let id = 10; ; id++) {
    guarded.send({ ...CALL, id });
    let answer = JSON.parse(await guarded.line());
    while (answer.id !== id) answer = JSON.parse(await guarded.line());
    if (answer.result?.isError === true || answer.error) break;
    await sleep(100);
  }
  replace(lock);
});

test("events are recorded, and shown by guard log", async () => {
  using space = await pinned();
  const record = ["--record", "trail", "--record-key", "recorder.key", "--record-mode", "before"];
  const keys = ["--content-keys", "keys"];
  await using guarded = new GuardedHere(space, "echo", ...record, ...keys);
  guarded.send(INITIALIZE);
  await guarded.line();
  guarded.send({ jsonrpc: "2.0", method: "notifications/initialized" }, CALL);
  await guarded.line();
  guarded.send({ ...CALL, id: 2, params: { name: "unknown", arguments: {} } });
  expect(JSON.parse(await guarded.line())).toMatchObject({ id: 2, error: { code: -32602 } });
  await guarded.end();
  const log = await space.run(["guard", "log", ...record.slice(0, 4)]);
  expect(log.code).toBe(0);
  expect(log.stdout).toMatch(/call +echo › echo passed · pass · .*\d+ ms/);
  expect(log.stdout).toMatch(/refused +echo › unknown refused/);
  expect(log.stdout).not.toContain("not ended");
  const entries = (await space.run(["guard", "log", ...record.slice(0, 4), ...keys, "--format", "json"])).stdout
    .trim()
    .split("\n");
  expect(entries.map((line) => JSON.parse(line)).find(({ event }) => event.kind === "result")).toMatchObject({
    content: "decrypted",
    event: {
      tool: "echo",
      outcome: "passed",
      digests: { result: expect.stringMatching(/^[0-9a-f]{64}$/) },
      attributes: { "gen_ai.tool.call.result": expect.stringMatching(/^{.*"jsonrpc":"2.0"/) },
    },
  });
});
