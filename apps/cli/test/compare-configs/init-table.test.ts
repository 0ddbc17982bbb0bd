import { chmodSync, existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NETWORK_VARIABLES, networkVariables } from "../../src/launch/variables.ts";
import { hostile } from "../support/hostile.ts";
import { projectAndHome } from "../support/project-and-home.ts";
import { memoryContext, type RunResult } from "../support/run-cli.ts";

const [command = "", script = ""] = hostile("terminal-escapes");
const SERVER = { command, args: [script] };

const world = projectAndHome();
const { write } = world;

function init(env: Readonly<Record<string, string>> = {}): Promise<RunResult> {
  return world.run(["init", "--yes"], env);
}

/** Returns the rows of the table, with `|` between the cells. */
const rowsOf = ({ stdout }: RunResult): string[] =>
  stdout
    .split("\n")
    .flatMap((row) => (/^(pinned|already pinned|not pinned) {2,}/.test(row) ? [row.replace(/ {2,}/g, "|")] : []));

test("init ends with a line for each server, the remaining steps, and then the findings", async () => {
  write(".mcp.json", { mcpServers: { one: SERVER, gone: { command: "no-such-command" } } });
  const first = await init();
  expect(first.code).toBe(2);
  expect(rowsOf(first)).toEqual([
    expect.stringMatching(/^pinned\|one\|2 tools, as claude-code, MCP /),
    expect.stringMatching(/^not pinned\|gone\|cannot start no-such-command/),
  ]);
  expect(first.stdout.indexOf("Next:")).toBeGreaterThan(first.stdout.indexOf("not pinned"));
  expect(first.stderr).toContain("to review: ");
  write(".mcp.json", { mcpServers: { one: { ...SERVER, args: [script, "--more"] } } });
  expect(rowsOf(await init())).toEqual(["already pinned|one|another launch is pinned: see agentprint check"]);
});

test("a failing server is visited again, alone", async () => {
  const marker = world.workspace.path("tried");
  // The first visit starts a process for each era.
  const flaky = `const fs = require("node:fs");
    fs.appendFileSync(${JSON.stringify(marker)}, "x");
    if (fs.readFileSync(${JSON.stringify(marker)}).length < 3) process.exit(1);
    import(${JSON.stringify(script)});`;
  write("flaky.cjs", flaky);
  write(".mcp.json", { mcpServers: { flaky: { command, args: [world.workspace.path("flaky.cjs")] } } });
  expect(await init()).toMatchObject({ code: 0, stderr: expect.not.stringContaining("error: flaky") });
  expect(existsSync(marker)).toBe(true);
  expect(world.workspace.lock().servers.map(({ name }) => name)).toEqual(["flaky"]);
});

test("a server is visited as the client that has it", async () => {
  write(".vscode/mcp.json", { servers: { code: SERVER } });
  write(".gemini/settings.json", { mcpServers: { gem: { ...SERVER, args: [script, "1"] } } });
  write(".zed/settings.json", { context_servers: { zed: { ...SERVER, args: [script, "2"] } } });
  expect((await init()).code).toBe(0);
  expect(world.workspace.lock().servers).toMatchObject([
    { name: "code", client: "vscode" },
    { name: "gem", client: "gemini-cli" },
    { name: "zed", client: "claude-code" },
  ]);
});

test("programs that fetch packages receive certificates and proxies, which no lock names", async () => {
  const seen = world.workspace.path("seen");
  write("npx", `#!/bin/sh\nenv >'${seen}'\nexec '${command}' '${script}'\n`);
  chmodSync(world.workspace.path("npx"), 0o755);
  write(".mcp.json", {
    mcpServers: { one: { command: world.workspace.path("npx"), args: ["-y", "some-server@1.2.3"] } },
  });
  const env = {
    NODE_EXTRA_CA_CERTS: "/certs/ca.pem",
    HTTPS_PROXY: "http://proxy.example:3128",
    npm_config_registry: "http://evil.example",
  };
  expect((await init(env)).code).toBe(0);
  const variables = readFileSync(seen, "utf8").split("\n");
  expect(variables).toEqual(
    expect.arrayContaining(["NODE_EXTRA_CA_CERTS=/certs/ca.pem", "HTTPS_PROXY=http://proxy.example:3128"]),
  );
  expect(variables.join("\n")).not.toContain("evil.example");
  expect(world.workspace.lockText()).not.toContain("NODE_EXTRA_CA_CERTS");
});

test("no other program receives them, and the login of a proxy is not shown", () => {
  const login = "http://me:s3cret-word@proxy.example:3128";
  const context = memoryContext([], { env: Object.fromEntries(NETWORK_VARIABLES.map((name) => [name, login])) });
  const launch = (program: string, ...args: string[]) => ({ type: "stdio", command: program, args, env: [] }) as const;
  for (const each of [launch("node", "server.js"), launch("docker", "run", "image@sha256:00")]) {
    expect(networkVariables(context, { ...each, args: [...each.args], env: [] })).toEqual({});
  }
  const uvx = networkVariables(context, { type: "stdio", command: "uvx", args: ["some-server"], env: [] });
  expect(Object.keys(uvx)).toEqual(NETWORK_VARIABLES);
  expect(context.hidden.replace(`cannot reach ${login}`)).not.toContain("s3cret-word");
});
