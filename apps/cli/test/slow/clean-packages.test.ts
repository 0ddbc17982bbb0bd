import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { PackageRegistry } from "@agentprint/testing/npm-registry/package-registry";
import { startProgram } from "@agentprint/testing/programs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { notingServer } from "../support/noting-server.ts";
import type { RunResult } from "../support/run-cli.ts";
import { AGENTPRINT, spawnCli } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

let above: Workspace;
let registry: PackageRegistry;
beforeEach(async () => {
  above = new Workspace();
  registry = await PackageRegistry.start();
  for (const name of ["a", "b"]) {
    mkdirSync(above.path(name));
    writeFileSync(above.path(`${name}/.npmrc`), `registry=${registry.url}\nfetch-retries=0\nupdate-notifier=false\n`);
    const files = { "server.js": notingServer(name) };
    registry.publish({ name, version: "1.0.0", manifest: { bin: "server.js" }, files });
  }
});
afterEach(async () => {
  await registry[Symbol.asyncDispose]();
  above[Symbol.dispose]();
});

const env = () => ({
  HOME: above.path("home"),
  npm_config_cache: above.path("cache"),
  XDG_STATE_HOME: above.path("state"),
});
const runIn = (folder: string, ...args: string[]): Promise<RunResult> =>
  spawnCli(args, { cwd: above.path(folder), env: env() });
const pin = (name: string) => runIn(name, "pin", "--name", "s", "--", "npx", "-y", `${name}@1.0.0`);
const kept = (): string[] =>
  readdirSync(above.path("state/agentprint/packages")).filter((name) => /^[0-9a-f]{40}$/.test(name));

test("a clean-up keeps the packages that some lock names, in any folder, and removes the rest", async () => {
  for (const name of ["a", "b"]) expect(await pin(name)).toMatchObject({ code: 0 });
  const all = kept();
  expect(all).toHaveLength(2);
  const config = JSON.stringify({ mcpServers: { s: { command: "npx", args: ["-y", "b@1.0.0"] } } });
  writeFileSync(above.path("b/.mcp.json"), config);
  // Neither adding the guard in front of a server nor removing it changes the files that the lock names.
  expect(await runIn("b", "wrap", "--mcp-config", ".mcp.json")).toMatchObject({ code: 0 });
  expect(await runIn("b", "unwrap", "--mcp-config", ".mcp.json")).toMatchObject({ code: 0 });
  expect(readFileSync(above.path("b/.mcp.json"), "utf8")).toBe(config);
  const nothing = await runIn("a", "doctor", "--clean");
  expect(nothing).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("0 folders of packages removed; 2 locks read"),
  });
  expect(kept()).toEqual(all);

  const lock = readFileSync(above.path("b/agentprint.lock"));
  writeFileSync(above.path("b/agentprint.lock"), "<<<<<<< ours\n");
  const refused = await runIn("a", "doctor", "--clean");
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("no folder of packages was removed") });
  expect(kept()).toEqual(all);

  writeFileSync(above.path("b/agentprint.lock"), lock);
  expect(await runIn("b", "remove", "s")).toMatchObject({ code: 0 });
  const { code, stdout } = await runIn("a", "doctor", "--clean", "--format", "json");
  const { removed, inUse } = JSON.parse(stdout);
  expect({ code, inUse, removed: removed.length }).toEqual({ code: 0, inUse: [], removed: 1 });
  expect(kept()).toHaveLength(1);
  registry.shelfOf = () => "nothing";
  rmSync(above.path("home"), { recursive: true });
  expect(await runIn("a", "check")).toMatchObject({ code: 0 });
});

test("a folder from which a guard runs a server stays until the guard ends", async () => {
  await pin("a");
  const [command, ...words] = AGENTPRINT;
  const guard = await startProgram(command, [...words, "guard", "s"], {
    cwd: above.path("a"),
    env: { ...process.env, ...env() },
  });
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } };
  guard.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  await new Promise((resolve) => guard.stdout.once("data", resolve));
  rmSync(above.path("a/agentprint.lock"));
  const during = await runIn("a", "doctor", "--clean");
  expect(during).toMatchObject({ code: 0, stdout: expect.stringContaining("a process may use it") });
  expect(kept()).toHaveLength(1);
  const ended = new Promise((resolve) => guard.once("exit", resolve));
  guard.stdin.end();
  await ended;
  expect(await runIn("a", "doctor", "--clean")).toMatchObject({ code: 0, stdout: expect.stringContaining("removed ") });
  expect(kept()).toEqual([]);
});
