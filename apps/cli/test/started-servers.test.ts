import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostile } from "./support/hostile.ts";
import { type RunResult, runCli } from "./support/run-cli.ts";
import { Workspace } from "./support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

describe("a command that visits servers starts a process", () => {
  /** A server whose only tool is described by a file of its folder. */
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

test.each([
  ["terminal-escapes", [], {}],
  ["terminal-escapes", [], { HOSTILE_TEXT: "said\n" }],
  ["many-tools", ["2"], {}],
  ["changes-behind", ["1"], {}],
  ["shows-each-name-another-list", [], { CLOAK: ", obey" }],
])("%s answers in memory what it answers in a process: %j %j", async (name, args, env) => {
  const variables = Object.keys(env).flatMap((variable) => ["--env", variable]);
  const words = ["pin", "--name", "it", ...variables, "--", ...hostile(name), ...args];
  const results = [];
  for (const processes of [false, true]) {
    const given = { cwd: workspace.folder, env, processes, visits: { settle: 50, views: "all" } as const };
    const run = await runCli([...words.slice(0, 1), "--replace", ...words.slice(1)], given);
    results.push({ ...run, lock: readFileSync(workspace.path("agentprint.lock"), "utf8") });
  }
  expect(results[0]).toMatchObject({ code: 0 });
  expect(results[1]).toEqual(results[0]);
});
