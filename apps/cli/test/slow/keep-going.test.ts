import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { projectAndHome } from "../support/project-and-home.ts";
import { spawnCli } from "../support/spawn-cli.ts";
import { toolsServer } from "../support/tools-server.ts";

const world = projectAndHome();
const { write } = world;
const path = (name: string): string => world.workspace.path(name);
const TOOL = { name: "a", inputSchema: { type: "object" } };
const GOOD = { command: "node", args: ["good.js"] };
const node = (...args: string[]) => ({ command: "node", args });
const ref = (name: string): string => `\${${name}}`;
const names = (): string[] => world.workspace.lock().servers.map(({ name }) => name);

/** Runs agentprint in its own process. */
function pin(...args: string[]) {
  writeFileSync(path("good.js"), toolsServer([TOOL]));
  writeFileSync(path("twins.js"), toolsServer([TOOL, { ...TOOL, description: "Another one" }]));
  const env = { HOME: world.home.folder, USERPROFILE: world.home.folder, XDG_CONFIG_HOME: "" };
  return spawnCli(["pin", ...args], { cwd: world.workspace.folder, env });
}

/** Entries of servers that fail, each with its error message. */
const FAILING: Readonly<Record<string, readonly [entry: unknown, says: string]>> = {
  // These fail while the configuration is read.
  nothing: [{}, "command, url: expected one of them"],
  text: ["x", "entry: expected an object"],
  null: [null, "entry: expected an object"],
  "list-of-variables": [{ ...GOOD, env: [] }, "env: expected an object"],
  "empty-address": [{ type: "http", url: "" }, "url: expected an address"],
  "two-launches": [{ ...GOOD, url: "https://mcp.example.com" }, "expected one of them, because clients differ"],
  // These fail before the server is started.
  "no-variable": [node(ref("env:NO_SUCH_VARIABLE")), "NO_SUCH_VARIABLE is not set"],
  "no-file-of-variables": [{ ...GOOD, envFile: "no-such.env" }, "cannot read no-such.env"],
  "of-the-editor": [node(ref("config:x")), "cannot be filled in outside of the editor"],
  "no-http": [{ url: "ftp://x" }, "this is not an HTTP address"],
  "loads-code": [{ ...GOOD, env: { NODE_OPTIONS: "--require ./x.js" } }, "NODE_OPTIONS makes the launch"],
  // These fail when the server is started or answers.
  "no-program": [{ command: "no-such-program" }, "cannot start no-such-program"],
  "no-folder": [{ ...GOOD, cwd: "no-such-folder" }, "there is no folder no-such-folder"],
  nul: [node("a\u0000b"), "cannot start node"],
  exits: [node("-e", "process.exit(3)"), "exit code 3"],
  prose: [node("-e", "console.log('hello')"), "the server ended"],
  half: [node("-e", "console.log('{ half')"), "not a strict JSON message"],
  header: [{ url: "http://127.0.0.1:9/mcp", headers: { "a b": "x" } }, "cannot be sent"],
  refuses: [{ url: "http://127.0.0.1:9/mcp" }, "the request to the server failed"],
  // These fail when the server's answers are written.
  twins: [node("twins.js"), "the answers of twins cannot be pinned"],
};

describe("pin --keep-going", () => {
  const servers = Object.entries(FAILING).map(([name, [entry]]) => [name, entry]);

  test("pins the others whatever fails of one server, and ends with 2", async () => {
    write("mcp.json", { mcpServers: Object.fromEntries([...servers, ["good", GOOD]]) });
    const { code, stdout, stderr } = await pin("--mcp-config", "mcp.json", "--keep-going", "--format", "json");
    expect(code, stderr).toBe(2);
    expect(names()).toEqual(["good"]);
    expect(new Set(JSON.parse(stdout).missing)).toEqual(new Set(Object.keys(FAILING)));
    for (const [name, [, says]] of Object.entries(FAILING)) {
      expect(stderr).toContain(name);
      expect(stderr).toContain(says);
    }
    expect(stderr).not.toContain("defect of agentprint");
  });

  test("pins nothing where every server fails, and without the option", async () => {
    write("mcp.json", { mcpServers: { nothing: {}, text: "x" } });
    expect(await pin("--mcp-config", "mcp.json", "--keep-going")).toMatchObject({ code: 2, stdout: "" });
    write("mcp.json", { mcpServers: { nothing: {}, good: GOOD } });
    expect(await pin("--mcp-config", "mcp.json")).toMatchObject({ code: 2, stdout: "" });
    expect(() => names()).toThrow("ENOENT");
    expect(await pin("--mcp-config", "mcp.json", "--keep-going", "--name", "good")).toMatchObject({ code: 0 });
  });

  test("pins the others where two entries cannot be told apart", async () => {
    const twice = '{"mcpServers":{"twice":{"command":"x","command":"y"},"good":{"command":"node","args":["good.js"]}}}';
    write("mcp.json", twice);
    const { code, stdout, stderr } = await pin("--mcp-config", "mcp.json", "--keep-going");
    expect([code, names()], stderr).toEqual([2, ["good"]]);
    expect(stdout).toContain("not pinned twice");
    expect(stderr).toContain('"command" is used for two members');
    write(
      "list.yaml",
      "mcpServers:\n  - {command: node, args: [good.js]}\n  - {name: listed, command: node, args: [good.js]}\n",
    );
    expect(await pin("--mcp-config", "list.yaml", "--keep-going")).toMatchObject({
      code: 2,
      stdout: expect.stringContaining("not pinned mcpServers.0"),
    });
    expect(names()).toEqual(["good", "listed"]);
  });

  test("pins no server that two configurations launch differently, and the others", async () => {
    write("one.json", { mcpServers: { same: GOOD, other: GOOD } });
    write("two.json", { mcpServers: { same: GOOD, other: node("good.js", "--more"), third: GOOD } });
    const files = ["--mcp-config", "one.json", "--mcp-config", "two.json"];
    const { code, stderr } = await pin(...files, "--keep-going");
    expect([code, names()], stderr).toEqual([2, ["same", "third"]]);
    expect(stderr).toContain("one.json and two.json launch other differently");
  });

  test("leaves the entry of another state, and pins the others", async () => {
    write("mcp.json", { mcpServers: { one: GOOD } });
    expect(await pin("--mcp-config", "mcp.json")).toMatchObject({ code: 0 });
    const before = world.workspace.lock().servers;
    write("mcp.json", { mcpServers: { one: node("good.js", "--more"), two: GOOD } });
    expect(await pin("--mcp-config", "mcp.json")).toMatchObject({ code: 1 });
    expect(world.workspace.lock().servers).toEqual(before);
    const { code, stdout, stderr } = await pin("--mcp-config", "mcp.json", "--keep-going");
    expect(code, stderr).toBe(1);
    expect(stderr).toContain("the lock pins another state of one; agentprint.lock keeps it");
    expect(stdout).toContain("not pinned one");
    expect(names()).toEqual(["one", "two"]);
    expect(world.workspace.lock().servers[0]?.launch).toEqual(before[0]?.launch);
    write("mcp.json", { mcpServers: { one: node("good.js", "--more"), three: GOOD, bad: {} } });
    expect(await pin("--mcp-config", "mcp.json", "--keep-going")).toMatchObject({ code: 2 });
    expect(names()).toEqual(["one", "three", "two"]);
  });
});
