import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { projectAndHome } from "../support/project-and-home.ts";
import { ONE_ERA } from "../support/short-visits.ts";
import { spawnCli } from "../support/spawn-cli.ts";
import { toolsServer } from "../support/tools-server.ts";

const world = projectAndHome(ONE_ERA);
const { write, run } = world;
const path = (name: string): string => world.workspace.path(name);
const ONE = { command: "node", args: ["server.js"] };

function server(begin = ""): void {
  writeFileSync(path("server.js"), toolsServer([{ name: "a", inputSchema: { type: "object" } }], { begin }));
}

async function init(): Promise<void> {
  expect(await run(["init", "--yes", "--ci", "none"])).toMatchObject({ code: 0 });
}

async function findings(rule: string): Promise<unknown[]> {
  const { stdout } = await run(["check", "--format", "json"]);
  return JSON.parse(stdout).findings.filter((each: { rule: string }) => each.rule === rule);
}

describe("an entry that is switched off", () => {
  test("keeps its values, which the check of its server uses", async () => {
    server(`if (process.env.KEY !== "v") process.exit(3);`);
    const entry = { ...ONE, env: { KEY: "v" } };
    write(".mcp.json", { mcpServers: { one: entry } });
    await init();
    write(".mcp.json", { mcpServers: { one: { ...entry, disabled: true } } });
    expect(await run(["check"])).toMatchObject({ code: 0 });
    // Another launch in this entry is a difference as before.
    write(".mcp.json", { mcpServers: { one: { ...entry, args: ["server.js", "x"], disabled: true } } });
    expect(await findings("mcp/config-launch-changed")).toMatchObject([{ level: "error" }]);
  });

  test.each<[string, boolean, object]>([
    ["other words", true, { ...ONE, args: ["server.js", "x"], env: { KEY: "v" } }],
    ["another program", true, { command: "other", env: { KEY: "v", MORE: "m" } }],
    [
      "an additional variable, which nobody has set",
      false,
      { ...ONE, env: { KEY: "v", MORE: `$${"{MORE_OF_NOBODY}"}` } },
    ],
    ["no variables", false, ONE],
    ["an address", false, { url: "https://mcp.example.com", headers: { KEY: "v" } }],
  ])(
    "has another launch with %s: a difference, and the pinned launch is visited with the values that are there",
    async (_, isVisited, other) => {
      server(`if (process.env.KEY !== "v") process.exit(3);`);
      const entry = { ...ONE, env: { KEY: "v" } };
      write(".mcp.json", { mcpServers: { one: entry } });
      await init();
      write(".mcp.json", { mcpServers: { one: { ...other, disabled: true } } });
      const { code, stdout, stderr } = await run(["check"]);
      expect(code, stdout + stderr).toBe(isVisited ? 1 : 2);
      expect(stdout).toContain("launches the server differently than pinned");
      expect(stdout.includes("one unchanged (1 tool)")).toBe(isVisited);
      // If the entry gives the variable no value, a value from the environment applies.
      const set = await run(["check"], { KEY: "v" });
      expect([set.code, set.stdout]).toEqual([1, expect.stringContaining("one unchanged (1 tool)")]);
    },
  );

  test.each([{ enabled: false }, { enabled: false, command: "" }])("unwrap leaves %j as it is", async (off) => {
    server();
    const mcp = { a: { type: "local", command: ["node", "server.js"] }, jira: off };
    write("opencode.json", { mcp });
    const before = readFileSync(path("opencode.json"), "utf8");
    await init();
    expect(await run(["wrap", "--all"])).toMatchObject({ code: 0 });
    expect(readFileSync(path("opencode.json"), "utf8")).toContain("guard");
    expect(await run(["unwrap", "--all"])).toMatchObject({ code: 0 });
    expect(readFileSync(path("opencode.json"), "utf8")).toBe(before);
  });
});

describe("an entry under another name", () => {
  test("with the same launch is reported with both names", async () => {
    server();
    write(".mcp.json", { mcpServers: { two: ONE } });
    await init();
    expect(await findings("mcp/config-entry-renamed")).toEqual([]);
    write(".mcp.json", { mcpServers: { deux: ONE } });
    expect(await findings("mcp/config-entry-renamed")).toMatchObject([
      { level: "note", before: "two", after: "deux", place: { server: "two", location: { file: ".mcp.json" } } },
    ]);
    expect(await run(["check"])).toMatchObject({ code: 0, stdout: expect.stringContaining("calls the server deux") });
    // If the old name remains, the new one is a second entry; another launch under another name is another server.
    write(".mcp.json", { mcpServers: { two: ONE, deux: ONE } });
    expect(await findings("mcp/config-entry-renamed")).toEqual([]);
    write(".mcp.json", { mcpServers: { deux: { ...ONE, args: ["other.js"] } } });
    expect(await findings("mcp/config-entry-renamed")).toEqual([]);
  });
});

describe("a configuration that cannot be read", () => {
  test("is reported as undecided, and not as a server that is gone", async () => {
    server();
    write(".vscode/mcp.json", { servers: { one: ONE } });
    await init();
    writeFileSync(path(".vscode/mcp.json"), '{"servers":{\n"one":{{"command":"node"}\n}}\n');
    const { code, stdout } = await run(["check"]);
    expect(code).toBe(2);
    expect(stdout).not.toContain("no configuration launches");
  });

  test.each([
    ["an empty list of variables", { command: "node", args: ["server.js"], env: [] }, 8, "env: expected an object"],
    ["no member", {}, 3, "command, url: expected one of them, a program or an address"],
    ["an empty address", { type: "http", url: "" }, 5, "url: expected an address"],
    ["an empty command", { args: [], command: "" }, 5, "command: expected a program"],
    ["a number for words", { command: "node", args: 1 }, 5, "args: expected a list"],
  ])("%s: its line, the member and what was expected", async (_, entry, line, reason) => {
    server();
    write(".mcp.json", { mcpServers: { s: ONE } });
    await init();
    writeFileSync(path(".mcp.json"), JSON.stringify({ mcpServers: { s: entry } }, null, 2));
    for (const args of [["check"], ["status"], ["doctor"], ["pin", "--mcp-config", ".mcp.json"], ["init", "--yes"]]) {
      const { code, stdout, stderr } = await run(args);
      expect(code, args[0]).toBe(2);
      expect(stdout + stderr).toContain(reason);
      expect((stdout + stderr).replaceAll(world.workspace.folder, "")).toContain(`.mcp.json:${line}`);
    }
  });
});

test("a container program that prints nothing does not end pin --keep-going for other servers", async () => {
  server();
  mkdirSync(path("bin"));
  const script = `#!/bin/sh\ncase "$1" in image) exit 0;; esac\nexit 1\n`;
  writeFileSync(path("bin/docker"), script);
  chmodSync(path("bin/docker"), 0o755);
  const image = `mcp/x@sha256:${"a".repeat(64)}`;
  const docker = { command: path("bin/docker"), args: ["run", "-i", "--rm", image] };
  write(".mcp.json", { mcpServers: { good: ONE, d: docker } });
  const { code, stderr } = await spawnCli(["pin", "--mcp-config", ".mcp.json", "--keep-going"], {
    cwd: world.workspace.folder,
    env: { PATH: `${path("bin")}:${process.env["PATH"]}` },
  });
  expect(code, stderr).toBe(2);
  expect(stderr).toMatch(/what d runs: cannot read docker's answer/);
  expect(world.workspace.lock().servers.map(({ name }) => name)).toEqual(["good"]);
});
