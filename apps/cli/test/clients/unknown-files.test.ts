import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { outputOf } from "@agentprint/testing/programs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fillFolder } from "../support/fill-folder.ts";
import { runCli } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

const SERVERS = JSON.stringify({ mcpServers: { charts: { command: "charts-mcp" } } });

let space: Workspace;
beforeEach(() => {
  space = new Workspace();
});
afterEach(() => space[Symbol.dispose]());

const env = () => ({ HOME: space.path("home"), XDG_CONFIG_HOME: "", XDG_STATE_HOME: space.path("state") });
const doctor = (...args: string[]) => space.run(["doctor", ...args], env());

function write(path: string, text = SERVERS): void {
  mkdirSync(dirname(space.path(path)), { recursive: true });
  writeFileSync(space.path(path), text);
}

describe("doctor names a file with servers that no known client reads:", () => {
  test.each([
    [".other/mcp.json", SERVERS],
    [".other/mcp.jsonc", `// the servers\n${SERVERS}`],
    [".other/mcp/charts.json", SERVERS],
    [".other/settings.json", SERVERS],
    [".claude/settings.local.json", SERVERS],
    ["mcp.json", '{"servers":{"charts":{"url":"https://charts.example/mcp"}}}'],
    ["mcp-servers.json", '{"mcp":{"servers":{"charts":{"command":["c"]}}}}'],
    [".vscode/settings.json", '{"mcp":{"servers":{"charts":{"type":"stdio","command":"c"}}}}'],
    [".other/settings.json", '{"extensions":[{"name":"charts","cmd":"c"}]}'],
    [".other/settings.json", '{"mcpServers":{},"mcpServers":{"charts":{"command":"c"}}}'],
    [".other/mcp.json", '{"mcpServers":{"__proto__":{"command":"c"}}}'],
    [".vscode/settings.json", '{"mcp.servers":{"charts":{"command":"c"}}}'],
    [".mcp.json", '{"mcpServers":{},"servers":{"charts":{"command":"c"}}}'],
    [".mcp.json", '{"mcp":{"servers":{"charts":{"url":"https://charts.example/mcp"}}}}'],
    [".vscode/mcp.json", '{"servers":{},"mcpServers":{"charts":{"command":"c"}}}'],
  ])("%s %s", async (file, text) => {
    write(file, text);
    const { code, stdout } = await doctor();
    expect(stdout).toContain(`${file} has servers that no known client reads\n`);
    expect(stdout).toContain("No configuration of a known client has a server.\n");
    expect(code).toBe(1);
    const json = await doctor("--format", "json");
    expect(JSON.parse(json.stdout)).toMatchObject({ servers: [], unknownFiles: [file] });
    expect(json.code).toBe(1);
  });

  test("once, if a link leads to it, and not for another member without servers", async () => {
    write(".cursor/mcp.json", '{"mcpServers":{},"servers":{"charts":{"command":"c"}}}');
    write(".mcp.json", '{"mcpServers":{},"servers":{}}');
    mkdirSync(space.path(".other"));
    symlinkSync("../.cursor/mcp.json", space.path(".other/mcp.json"));
    const { unknownFiles } = JSON.parse((await doctor("--format", "json")).stdout);
    expect(unknownFiles).toEqual([".cursor/mcp.json"]);
  });

  test("whatever a known client's link leads to", async () => {
    const text = (servers: object) => JSON.stringify({ mcpServers: {}, servers });
    mkdirSync(space.path("project/.cursor"), { recursive: true });
    write("elsewhere.json", text({ charts: { command: "c" } }));
    write("empty.json", text({}));
    symlinkSync("../elsewhere.json", space.path("project/.mcp.json"));
    symlinkSync("../../empty.json", space.path("project/.cursor/mcp.json"));
    const { stdout } = await runCli(["doctor", "--format", "json"], { cwd: space.path("project"), env: env() });
    expect(JSON.parse(stdout)).toMatchObject({ unknownFiles: [".mcp.json"] });
  });
});

describe("doctor is silent about", () => {
  test.each([
    ["a file of a known client", ".cursor/mcp.json", '{"mcpServers":{}}'],
    ["a list of names", ".other/settings.json", '{"extensions":["a.b"],"mcp":true,"servers":"x"}'],
    ["a member that starts nothing", "mcp.json", '{"mcpServers":{"a":{},"b":{"command":null,"url":""}},"servers":{}}'],
    ["a folder of this name", "mcp.json/a.json", SERVERS],
    ["a file below another folder", "src/mcp.json", SERVERS],
    ["what Git keeps", ".git/mcp.json", SERVERS],
  ])("%s", async (_, file, text) => {
    write(file, text);
    expect(await doctor()).toMatchObject({ code: 0, stdout: "No configuration of a client has a server.\n" });
  });

  test("a link to a file of a known client, and one to nothing", async () => {
    write(".cursor/mcp.json", '{"mcpServers":{}}');
    mkdirSync(space.path(".other"));
    symlinkSync("../.cursor/mcp.json", space.path(".other/mcp.json"));
    symlinkSync("nowhere", space.path(".other/settings.json"));
    expect(await doctor()).toMatchObject({ code: 0, stderr: "" });
  });

  test("files other than the requested ones", async () => {
    write(".other/mcp.json");
    write(".cursor/mcp.json", '{"mcpServers":{}}');
    for (const args of [
      ["--scope", "user"],
      ["--client", "cursor"],
      ["--mcp-config", ".cursor/mcp.json"],
    ])
      expect((await doctor(...args)).code).toBe(0);
  });

  test("a file that the project lists, except for its servers", async () => {
    write(".other/mcp.json");
    write("agentprint.config.json", JSON.stringify({ configurations: [".other/mcp.json"] }));
    const { code, stdout } = await doctor();
    expect(code).toBe(1);
    expect(stdout).toContain("charts not guarded, not pinned .other/mcp.json\n");
    expect(stdout).not.toContain("no known client");
  });
});

describe("doctor ends with 2 where it cannot tell:", () => {
  test("a file that is not in its format", async () => {
    write(".other/mcp.json", '{"mcpServers":');
    const { code, stderr } = await doctor();
    expect(code).toBe(2);
    expect(stderr).toContain("code:      invalid-config");
    expect(stderr).toContain(".other/mcp.json:1:");
  });

  test("a link that leaves the project, which is not followed", async () => {
    mkdirSync(space.path("project/.other"), { recursive: true });
    write("outside.json");
    symlinkSync("../../outside.json", space.path("project/.other/mcp.json"));
    const { code, stdout, stderr } = await runCli(["doctor"], { cwd: space.path("project"), env: env() });
    expect(code).toBe(2);
    expect(stderr).toContain("a link leads out of the project");
    expect(stdout).not.toContain("charts");
  });

  test("a pipe, which is not waited for", async () => {
    mkdirSync(space.path(".other"));
    outputOf("mkfifo", [space.path(".other/mcp.json")]);
    expect((await doctor()).code).toBe(2);
  });

  test("a folder with more files than are looked at", async () => {
    mkdirSync(space.path(".other"));
    fillFolder(space.path(".other"), 5001);
    const { code, stderr } = await doctor();
    expect(code).toBe(2);
    expect(stderr).toContain("has more than 5000 entries");
  });

  test("the servers of this project in the user's file, which the project lists", async () => {
    const projects = { [space.path("")]: { mcpServers: { charts: { command: "c" } } } };
    write(".claude.json", JSON.stringify({ mcpServers: { graphs: { command: "g" } }, projects }));
    write("agentprint.config.json", JSON.stringify({ configurations: [".claude.json"] }));
    const { stdout } = await space.run(["doctor"], { ...env(), HOME: space.path("") });
    expect(stdout).toContain("charts not guarded");
    expect(stdout).toContain("graphs not guarded");
  });

  test("another member of a file that the project lists, except for its servers", async () => {
    write(".mcp.json", '{"mcpServers":{"graphs":{"command":"g"}},"servers":{"charts":{"command":"c"}}}');
    write("agentprint.config.json", JSON.stringify({ configurations: [".mcp.json"] }));
    const { stdout } = await doctor();
    expect(stdout).toContain("charts not guarded, not pinned .mcp.json\n");
    expect(stdout).not.toContain("no known client");
  });
});

describe("in the home folder, doctor names", () => {
  const inProject = (...args: string[]) => {
    mkdirSync(space.path("project"), { recursive: true });
    return runCli(["doctor", ...args], { cwd: space.path("project"), env: env() });
  };

  test.each([
    ["home/.other/mcp.json", SERVERS],
    ["home/.other/settings.json", SERVERS],
    ["home/.other/mcp/charts.json", SERVERS],
    ["home/mcp.json", SERVERS],
    ["home/.cursor/mcp.json", '{"mcpServers":{},"servers":{"charts":{"command":"c"}}}'],
  ])("%s, and ends with 1", async (path, text) => {
    write(path, text);
    const { code, stdout } = await inProject("--format", "json");
    expect([code, JSON.parse(stdout).unknownFiles]).toEqual([1, [path.replace("home", "~")]]);
    expect((await inProject()).stdout).toContain("agentprint doctor --mcp-config <file>");
    expect((await inProject("--scope", "user")).code).toBe(1);
    expect((await inProject("--scope", "project")).stdout).not.toContain(path.replace("home", "~"));
  });

  test("a file behind a link out of it, as people keep them", async () => {
    write("dotfiles/mcp.json");
    mkdirSync(space.path("home/.other"), { recursive: true });
    symlinkSync(space.path("dotfiles/mcp.json"), space.path("home/.other/mcp.json"));
    expect((await inProject("--scope", "user")).stdout).toContain("~/.other/mcp.json");
  });

  test("nothing without servers, of a client that reads it, or where there is no home folder", async () => {
    expect((await inProject("--scope", "user")).stderr).toBe("");
    write("home/.other/settings.json", '{"mcpServers":{},"theme":"dark"}');
    write("home/.gemini/settings.json");
    const { stdout } = await inProject("--scope", "user", "--format", "json");
    expect(JSON.parse(stdout).unknownFiles).toEqual([]);
  });

  test("one in a wrong format, or a folder with too many files, as undecided", async () => {
    write("home/.other/mcp.json", "{");
    expect(await inProject("--scope", "user")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(".other/mcp.json"),
    });
    write("home/.other/mcp.json", "{}");
    fillFolder(space.path("home/.other"), 5001);
    const { code, stderr } = await inProject("--scope", "user");
    expect([code, stderr]).toEqual([2, expect.stringContaining("~/.other")]);
  });
});
