import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { PassThrough } from "node:stream";
import { outputOf } from "@agentprint/testing/programs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createContext } from "../../src/run/context.ts";
import { run } from "../../src/run-program.ts";
import { hostile } from "../support/hostile.ts";
import type { RunResult } from "../support/run-cli.ts";
import { ONE_ERA } from "../support/short-visits.ts";
import { Workspace } from "../support/workspace.ts";

const [command, script] = hostile("terminal-escapes");
const SERVER = { command, args: [script] };
const SECRET = "correct horse battery staple";
const CONFIG = "agentprint.config.json";
const WORKFLOW = ".github/workflows/agentprint.yml";

let [workspace, home] = [] as unknown as [Workspace, Workspace];
beforeEach(() => {
  [workspace, home] = [new Workspace(ONE_ERA), new Workspace()];
});
afterEach(() => {
  for (const each of [workspace, home]) each[Symbol.dispose]();
});

/** Writes a file, as JSON unless the content is a string; `~/` is the home folder. */
function write(file: string, value: unknown): void {
  const path = file.startsWith("~/") ? home.path(file.slice(2)) : workspace.path(file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
}

/** A user's environment with the test's home folder. */
const surroundings = () => ({ HOME: home.folder, USERPROFILE: home.folder, XDG_CONFIG_HOME: "", CODEX_HOME: "" });

function read(file: string): string {
  return readFileSync(workspace.path(file), "utf8");
}

/** Runs init with its own home folder. */
function init(...args: string[]): Promise<RunResult> {
  return workspace.run(["init", ...args], surroundings());
}

const secret = (name: string): string => `\${{ secrets.${name} }}`;

const names = (): string[] => workspace.lock().servers.map(({ name }) => name);

/** Runs init on a terminal, and presses keys when it asks. */
async function initOnTerminal(keys: string, env: Record<string, string> = {}, answer = ""): Promise<RunResult> {
  const open = () => Object.assign(new PassThrough({ encoding: "utf8" }), { isTTY: true, columns: 80 });
  const stdin = Object.assign(open(), { setRawMode: () => stdin });
  const [stdout, stderr] = [open(), open()];
  let asked = "";
  let isTyped = false;
  stderr.on("data", (text: string) => {
    asked += text;
    if (text.endsWith("[y/N] ")) stdin.write(answer);
    if (isTyped || !/Enter:.* confirm/.test(asked)) return;
    isTyped = true;
    setImmediate(() => stdin.write(keys));
  });
  const context = createContext({
    args: ["init"],
    stdin,
    stdout,
    stderr,
    cwd: workspace.folder,
    env: { ...process.env, ...surroundings(), ...env },
  });
  const code = await run(context);
  return { code, stdout: String(stdout.read()), stderr: asked };
}

describe("agentprint init", () => {
  test("pins the clients' servers, and writes the files that a repository needs", async () => {
    write(".mcp.json", { mcpServers: { one: SERVER } });
    write("~/.codex/config.toml", `[mcp_servers.two]\ncommand = '${command}'\nargs = ['${script}']\n`);
    const first = await init("--yes");
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toContain("Found 2 servers in 2 configurations:");
    expect(first.stdout).toContain("Codex, ~/.codex/config.toml");
    expect(names()).toEqual(["one", "two"]);
    expect(JSON.parse(read(CONFIG))).toMatchObject({ preset: "compatible" });
    expect(read(WORKFLOW)).toMatch(/ --ignore-scripts agentprint@\d+\.\d+\.\d+\n/);
    expect((await workspace.run(["check"])).code).toBe(0);
  });

  test("changes nothing when it is run again", async () => {
    write(".mcp.json", { mcpServers: { one: SERVER } });
    await init("--yes");
    const before = [workspace.lockText(), read(CONFIG), read(WORKFLOW)];
    const again = await init();
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(again.stdout).toContain("one (already pinned)");
    expect(again.stdout).toContain(`unchanged ${CONFIG}\nunchanged ${WORKFLOW}\n`);
    expect([workspace.lockText(), read(CONFIG), read(WORKFLOW)]).toEqual(before);
  });

  test("pins the others when a server does not start or a configuration cannot be read", async () => {
    write(".mcp.json", { mcpServers: { one: SERVER, gone: { command: "no-such-command" }, odd: { args: [] } } });
    write(".vscode/mcp.json", '{ "servers": {,} }');
    mkdirSync(workspace.path(".cursor"));
    outputOf("mkfifo", [workspace.path(".cursor/mcp.json")]);
    const { code, stderr } = await init("--yes");
    expect(code).toBe(2);
    for (const expected of [
      "gone: cannot start no-such-command",
      ".mcp.json:1, server odd",
      ".vscode/mcp.json:1:",
      "regular",
    ]) {
      expect(stderr).toContain(expected);
    }
    expect(names()).toEqual(["one"]);
    expect(existsSync(workspace.path(WORKFLOW))).toBe(true);
  });

  test("writes no CI file if nothing could be pinned, and lists what a check reports about unpinned servers", async () => {
    write(".mcp.json", { mcpServers: { gone: { command: "no-such-command" } } });
    const { code, stdout } = await init("--yes");
    expect(code).toBe(2);
    expect(stdout).toContain("Next: agentprint init again");
    expect(readdirSync(workspace.folder)).toEqual([".mcp.json"]);
    write(".mcp.json", { mcpServers: { one: SERVER, gone: { command: "no-such-command" } } });
    expect((await init("--yes")).stdout).toContain("agentprint explain mcp/not-pinned");
  });

  test("names the places where it looked for servers where there are none", async () => {
    write(".cursor/mcp.json", { servers: { one: SERVER } });
    const { code, stderr } = await init("--yes");
    expect(code).toBe(2);
    expect(stderr).toMatch(/no configuration has a server in it\n +where: +mcpServers in \.cursor\/mcp\.json\n/);
  });

  test("leaves a reference to a variable that the entry itself sets to the server", async () => {
    const args = [script, "$" + "{TOKEN_OF_ENTRY}"];
    write(".mcp.json", { mcpServers: { one: { command, args, env: { TOKEN_OF_ENTRY: "secret of the entry" } } } });
    expect(await init("--yes")).toMatchObject({ code: 0, stderr: expect.not.stringContaining("is not set") });
    write(".mcp.json", { mcpServers: { two: { command, args } } });
    expect((await init("--yes")).stderr).toContain("the environment variable TOKEN_OF_ENTRY is not set");
  });

  test("without a terminal and without --yes it names the line to run, and writes nothing", async () => {
    write(".mcp.json", { mcpServers: { one: SERVER } });
    const { code, stderr } = await init("--client", "claude-code", "--scope", "project");
    expect(code).toBe(2);
    expect(stderr).toContain("agentprint init --yes --client claude-code --scope project\n");
    expect(readdirSync(workspace.folder)).toEqual([".mcp.json"]);
  });

  test("asks on a terminal which servers to pin, with the project's servers preselected", async () => {
    write(".mcp.json", { mcpServers: { one: SERVER, two: SERVER } });
    write("~/.cursor/mcp.json", { mcpServers: { three: { command: "no-such-command" } } });
    // The keys move down and deselect the server `two`.
    const chosen = await initOnTerminal("\u001b[B \r");
    expect(chosen.code).toBe(0);
    expect(chosen.stderr).toContain("Which servers should be pinned?");
    expect(names()).toEqual(["one"]);
  });

  test("writes nothing when the choice is cancelled", async () => {
    write(".mcp.json", { mcpServers: { one: SERVER } });
    const { code, stderr } = await initOnTerminal("\u0003");
    expect(code).toBe(2);
    expect(stderr).toContain("the choice was cancelled; nothing was written");
    expect(readdirSync(workspace.folder)).toEqual([".mcp.json"]);
  });

  test("keeps a file that is there and differs, unless --force is given", async () => {
    write(".mcp.json", { mcpServers: { one: SERVER } });
    write(CONFIG, { preset: "strict" });
    const kept = await init("--yes");
    expect(kept.stdout).toContain(`kept ${CONFIG} (it differs from what init writes; --force replaces it)`);
    expect(JSON.parse(read(CONFIG))).toEqual({ preset: "strict" });
    expect((await init("--yes", "--force")).stdout).toContain(`wrote ${CONFIG}`);
    expect(JSON.parse(read(CONFIG))).toMatchObject({ preset: "compatible" });
  });

  test.each([
    ["y", "wrote", "compatible"],
    ["n", "kept", "strict"],
  ])("asks on a terminal before it replaces a file, and %s is followed", async (answer, said, preset) => {
    write(".mcp.json", { mcpServers: { one: SERVER } });
    write(CONFIG, { preset: "strict" });
    const { code, stdout, stderr } = await initOnTerminal("\r", { NO_COLOR: "1" }, `${answer}\n`);
    expect(code).toBe(0);
    expect(stderr).toContain(`-{"preset":"strict"}`);
    expect(stderr).toContain(`${CONFIG} differs from what init writes. Replace it? [y/N] `);
    expect(stdout).toContain(`${said} ${CONFIG}`);
    expect(JSON.parse(read(CONFIG))).toMatchObject({ preset });
  });

  test("--dry-run shows the planned files, and writes nothing", async () => {
    write(".mcp.json", { mcpServers: { one: SERVER } });
    write(CONFIG, '{\n  "preset": "strict"\n}\n');
    const { code, stdout } = await init("--yes", "--dry-run", "--force");
    expect(code).toBe(0);
    expect(stdout).toMatch(/agentprint\.lock\n\+one: 2 tools, digest [0-9a-f]{64}\n/);
    expect(stdout).toMatch(
      /agentprint\.config\.json\n- {2}"preset": "strict"\n\+ {2}"\$schema": .*\n\+ {2}"preset": "compatible"\n/,
    );
    expect(stdout).toContain("+name: agentprint\n");
    expect(stdout).toMatch(/ github\.event\.merge_group\.base_sha \}\}\nNothing was written\.\n$/);
    expect(readdirSync(workspace.folder).sort()).toEqual([".mcp.json", CONFIG]);
  });

  test("pins the same launch under one name once, and gives another launch a unique name", async () => {
    write(".mcp.json", { mcpServers: { one: SERVER } });
    write(".cursor/mcp.json", { mcpServers: { one: SERVER } });
    write("~/.codeium/windsurf/mcp_config.json", { mcpServers: { one: { command, args: [script, "--more"] } } });
    const { stdout } = await init("--yes");
    expect(stdout).toContain("Claude Code, .mcp.json; Cursor, .cursor/mcp.json");
    expect(names()).toEqual(["one", "one-windsurf"]);
  });

  test("reads the files of --mcp-config in place of those of the clients", async () => {
    write(".mcp.json", { mcpServers: { one: SERVER } });
    write("other.json", { mcpServers: { two: SERVER } });
    expect((await init("--yes", "--mcp-config", "other.json")).code).toBe(0);
    expect(names()).toEqual(["two"]);
    expect((await init("--yes", "--mcp-config", "no-such.json")).stderr).toContain("cannot read no-such.json");
  });

  test("prints the next step where no client has a server", async () => {
    const { code, stderr } = await init();
    expect(code).toBe(2);
    expect(stderr).toContain("no configuration of an MCP client was found");
    expect((await init("--client", "nobody")).stderr).toContain("expected one of claude-code");
  });
});

describe("the CI file", () => {
  test("names the variables of the servers, and never their values", async () => {
    const written = {
      HOSTILE_TEXT: "$" + "{HOSTILE_TEXT}",
      "odd.name": "$" + "{env:ODD}",
      GITHUB_PAT: "$" + "{GITHUB_PAT}",
    };
    const env = { ...written, LOG_LEVEL: "ERROR" };
    write(".mcp.json", { mcpServers: { one: { ...SERVER, env } } });
    const values = { HOSTILE_TEXT: "hello", ODD: "x", GITHUB_PAT: SECRET };
    const { code, stdout, stderr } = await workspace.run(["init", "--yes"], { ...surroundings(), ...values });
    expect(code).toBe(0);
    const file = read(WORKFLOW);
    const { steps } = parse(file).jobs.check;
    expect(steps.filter((step: object) => "env" in step)).toEqual([
      {
        id: "check",
        name: expect.any(String),
        run: expect.any(String),
        env: {
          BASE: expect.stringContaining("github.event.pull_request.base.sha"),
          GITHUB_PAT: secret("MCP_GITHUB_PAT"),
          HOSTILE_TEXT: secret("HOSTILE_TEXT"),
          "odd.name": secret("odd_name"),
        },
      },
    ]);
    expect(stdout).toContain(
      "set as secrets of the repository, for the servers to get: MCP_GITHUB_PAT, HOSTILE_TEXT, odd_name",
    );
    for (const text of [stdout, stderr, file, workspace.lockText()]) expect(text).not.toContain(SECRET);
  });

  test("is in the root of the repository, and works in the folder of the lock", async () => {
    mkdirSync(workspace.path(".git"));
    write("apps/web/.mcp.json", { mcpServers: { one: SERVER } });
    const inner = Object.assign(Object.create(workspace) as Workspace, { folder: workspace.path("apps/web") });
    const ran = await inner.run(["init", "--yes"], surroundings());
    expect(ran.stdout).toContain(`wrote ../../${WORKFLOW}`);
    const { steps } = parse(read(WORKFLOW)).jobs.check;
    // The shell leaves the folder's name in PWD, so that a link in its place is noticed.
    expect(steps.at(-1)).toMatchObject({ id: "check", run: expect.stringMatching(/^cd apps\/web\n/) });
    expect(steps.at(-1)).not.toHaveProperty("working-directory");
    const gitlab = await inner.run(["init", "--yes", "--ci", "gitlab"], surroundings());
    expect(gitlab.code).toBe(0);
    expect(parse(read(".gitlab/agentprint.yml")).agentprint.script.at(-2)).toBe("cd apps/web");
  });

  test("is GitLab's where the repository has one", async () => {
    write(".mcp.json", { mcpServers: { one: SERVER } });
    write(".gitlab-ci.yml", "stages: [test]\n");
    const { stdout } = await init("--yes", "--lock", "mcp.lock");
    expect(stdout).toContain("add to .gitlab-ci.yml: include: [{ local: .gitlab/agentprint.yml }]");
    expect(read(".gitlab/agentprint.yml")).toMatch(/agentprint" check --lock mcp\.lock \$\{BASE:/);
    expect(existsSync(workspace.path(WORKFLOW))).toBe(false);
  });

  test.each([
    ["gitlab", [".gitlab", ".gitlab-ci.yml", ".mcp.json", CONFIG, "agentprint.lock"]],
    ["none", [".mcp.json", CONFIG, "agentprint.lock"]],
  ])("is the one that --ci %s requests", async (service, files) => {
    write(".mcp.json", { mcpServers: { one: SERVER } });
    expect((await init("--yes", "--ci", service)).code).toBe(0);
    expect(readdirSync(workspace.folder).sort()).toEqual(files);
  });
});
