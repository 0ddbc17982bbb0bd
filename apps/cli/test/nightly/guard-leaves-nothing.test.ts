import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { startProgram } from "@agentprint/testing/programs";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { INITIALIZE, isRunning } from "../guard/guarded.ts";
import { STATE } from "../support/run-cli.ts";
import { AGENTPRINT } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

/**
 * A server that is never asked to end, with a child in its group, a child that left the group, and a grandchild whose
 * parent is gone.
 */
const SERVER = `
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
const STAY = 'process.on("SIGTERM", () => {}); process.on("SIGHUP", () => {}); require("node:fs").appendFileSync("pids", process.pid + "\\\\n"); setInterval(() => {}, 1000);';
const LEAVE = 'require("node:child_process").spawn(process.execPath, ["-e", process.env.STAY], { detached: true, stdio: "ignore" }).unref();';
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => {});
setInterval(() => {}, 1000);
const start = (code, options) => spawn(process.execPath, ["-e", code], { env: { ...process.env, STAY }, ...options }).unref();
if (process.env.CHILDREN) {
  appendFileSync("pids", process.pid + "\\n");
  start(STAY, { stdio: "inherit" });
  start(STAY, { stdio: "ignore", detached: true });
  start(LEAVE, { stdio: "ignore" });
}
const results = {
  initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "stays", version: "1" } },
  "tools/list": { tools: [{ name: "stay", inputSchema: { type: "object" } }] },
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const error = { code: -32601, message: "no" };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(results[method] ? { result: results[method] } : { error }) }));
});
`;

const SERVERS = Array.from({ length: 10 }, (_, index) => `stays-${index}`);
/** The processes that a server starts, including itself. */
const PROCESSES = 4;
const [COMMAND, ...ARGS] = AGENTPRINT;
let space: Workspace;

beforeAll(async () => {
  space = new Workspace();
  writeFileSync(space.path("server.mjs"), SERVER);
  for (const name of SERVERS) {
    const args = ["pin", "--name", name, "--env", "CHILDREN"];
    const run = await space.run([...args, "--", process.execPath, "server.mjs"], { CHILDREN: "" });
    if (run.code !== 0) throw new Error(run.stderr);
  }
});
afterAll(() => space[Symbol.dispose]());

const pids = (): number[] => {
  if (!existsSync(space.path("pids"))) return [];
  return readFileSync(space.path("pids"), "utf8").trim().split("\n").filter(Boolean).map(Number);
};
const left = () => pids().filter(isRunning);
const env = () => ({ ...process.env, ...STATE, CHILDREN: "yes" });

/** Waits until all processes of the given number of servers are running. */
const started = (servers: number) => expect.poll(() => left().length).toBe(servers * PROCESSES);
const isGone = async () => {
  await expect.poll(left).toEqual([]);
  writeFileSync(space.path("pids"), "");
};

/** Starts a stdio guard, and waits until its server has answered. */
async function guardedServer(): Promise<ChildProcess> {
  const child = await startProgram(COMMAND, [...ARGS, "guard", SERVERS[0] ?? ""], { cwd: space.folder, env: env() });
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  await once(createInterface({ input: child.stdout }), "line");
  await started(1);
  return child;
}

const ended = async (child: ChildProcess) => {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
};

describe.skipIf(process.platform === "win32")("a guard whose server does not exit", () => {
  const ends: [string, (child: ChildProcess) => void][] = [
    ["is killed", (child) => child.kill("SIGKILL")],
    ["is asked to end", (child) => child.kill("SIGTERM")],
    ["has no client any more", (child) => child.stdin?.end()],
    [
      "is killed while it ends",
      (child) => {
        child.stdin?.end();
        setTimeout(() => child.kill("SIGKILL"), 3000 * Math.random());
      },
    ],
    [
      "is asked and killed at once",
      (child) => {
        child.kill("SIGTERM");
        child.kill("SIGKILL");
      },
    ],
  ];
  const rounds = Array.from({ length: 10 }, () => ends).flat();

  test.each(rounds)("leaves nothing where it %s", async (_, end) => {
    const child = await guardedServer();
    end(child);
    await ended(child);
    await isGone();
  });

  test("leaves nothing behind the official client, which kills a guard that takes longer", async () => {
    const client = new Client({ name: "test", version: "1" });
    const args = [...ARGS, "guard", SERVERS[0] ?? ""];
    const transport = new StdioClientTransport({
      command: COMMAND,
      args,
      cwd: space.folder,
      env: env() as Record<string, string>,
    });
    await client.connect(transport);
    await started(1);
    await client.close();
    await isGone();
  });

  test.each(["SIGKILL", "SIGTERM"] as const)("leaves no process of ten servers over HTTP after %s", async (signal) => {
    const child = await startProgram(COMMAND, [...ARGS, "guard", "--http", "127.0.0.1:0", ...SERVERS], {
      cwd: space.folder,
      env: env(),
    });
    const [line] = await once(
      createInterface({ input: child.stderr }).on("line", () => undefined),
      "line",
    );
    child.stderr.resume();
    const urls = String(line).match(/http:\/\/127\S+/g) ?? [];
    expect(urls).toHaveLength(SERVERS.length);
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    for (const url of urls) {
      const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(INITIALIZE) });
      expect(await answer.text()).toContain("stays");
    }
    await started(SERVERS.length);
    child.kill(signal);
    await ended(child);
    await isGone();
  });
});
