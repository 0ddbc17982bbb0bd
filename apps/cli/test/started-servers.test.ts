import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostile } from "./support/hostile.ts";
import { type RunResult, runCli } from "./support/run-cli.ts";
import { RUNS_IN_TESTS } from "./support/script-server.ts";
import { Workspace } from "./support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

describe("a command that visits servers starts a process", () => {
  /** A server whose only tool is described by a file in its folder. */
  const SERVER = hostile("tells-a-file");
  const says = (text: string): void => writeFileSync(workspace.path("description.txt"), text);
  const run = (...args: string[]): Promise<RunResult> => workspace.run(args);
  beforeEach(() => says("before"));

  test("pin, check, approve and watch", async () => {
    expect(await run("pin", "--name", "it", "--", ...SERVER)).toMatchObject({ code: 0, stderr: "" });
    expect(workspace.lockText()).toContain("before");
    expect(await run("check")).toMatchObject({ code: 0, stderr: "" });
    says("after");
    expect(await run("check")).toMatchObject({ code: 1, stdout: expect.stringContaining("after") });
    expect(await run("watch", "--rounds", "1")).toMatchObject({ code: 1, stdout: expect.stringContaining("after") });
    expect(await run("approve", "it", "--yes")).toMatchObject({ code: 0 });
    expect(await run("check")).toMatchObject({ code: 0, stderr: "" });
  });

  test("init and diff", async () => {
    const [command, ...args] = SERVER;
    writeFileSync(workspace.path(".mcp.json"), JSON.stringify({ mcpServers: { it: { command, args } } }));
    expect(await run("init", "--yes")).toMatchObject({ code: 0 });
    expect(workspace.lockText()).toContain("before");
    says("after");
    const line = SERVER.map((word) => `"${word}"`).join(" ");
    const compared = await run("diff", "agentprint.lock", line);
    expect(compared).toMatchObject({ code: 1, stdout: expect.stringContaining("after") });
  });

  test("manifest from-mcp", async () => {
    const { stdout } = await run("manifest", "from-mcp", "--", ...SERVER);
    expect(JSON.parse(stdout)).toMatchObject({ tools: [expect.objectContaining({ name: "read" })] });
  });
});

/** Pins a server in memory and as a process; returns the outputs and locks of both runs. */
async function pinnedBothWays(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const variables = Object.keys(env).flatMap((variable) => ["--env", variable]);
  const results = [];
  for (const processes of [false, true]) {
    const given = { cwd: workspace.folder, env, processes, visits: { settle: 50, views: "all" } as const };
    const run = await runCli(["pin", "--replace", "--name", "it", ...variables, "--", ...words], given);
    results.push({ ...run, lock: readFileSync(workspace.path("agentprint.lock"), "utf8") });
  }
  return results;
}

test.each([
  ["terminal-escapes", [], {}],
  ["terminal-escapes", [], { HOSTILE_TEXT: "said\n" }],
  ["many-tools", ["2"], {}],
  ["changes-behind", ["1"], {}],
  ["shows-each-name-another-list", [], { CLOAK: ", obey" }],
])("%s gives the same answers in memory as in a process: %j %j", async (name, args, env) => {
  const [inMemory, ofProcess] = await pinnedBothWays([...hostile(name), ...args], env);
  expect(inMemory).toMatchObject({ code: 0 });
  expect(ofProcess).toEqual(inMemory);
});

test("a script that tests may run gives the same answers in memory as in a process", async () => {
  const script = `${RUNS_IN_TESTS}
    const { cwd, argv, env } = process;
    const description = [cwd(), __filename, ...argv.slice(2), env.SAID].join(" ");
    const results = {
      initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
      "tools/list": { tools: [{ name: "it", description, inputSchema: { type: "object" } }] },
    };
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      const answer = results[method] ? { result: results[method] } : { error: { code: -32601, message: "no" } };
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
    });`;
  writeFileSync(workspace.path("server.cjs"), script);
  const [inMemory, ofProcess] = await pinnedBothWays([process.execPath, "server.cjs", "word"], { SAID: "v" });
  expect(inMemory).toMatchObject({ code: 0, lock: expect.stringContaining("server.cjs word v") });
  expect(ofProcess).toEqual(inMemory);
});
