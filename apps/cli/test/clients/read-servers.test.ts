import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CLIENT_IDS, CLIENTS } from "../../src/clients/client-table.ts";
import { entriesAt } from "../../src/clients/configured-servers.ts";
import { clientOfFile, locateFiles } from "../../src/clients/locate-files.ts";
import { parseConfig } from "../../src/clients/read-client-config.ts";
import { readConfig } from "../../src/launch/read-config.ts";
import { clientsPage } from "../support/clients-page.ts";
import { memoryContext } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

const FILES = fileURLToPath(new URL("files/", import.meta.url));
const ref = (name: string): string => `\${${name}}`;

const ENV = { CHARTS_KEY: "ck", TIDES_KEY: "tk", BOAT: "boat", LANG: "C", AGENTPRINT_INPUT_TIDES_KEY: "asked" };
const TIDES = "https://tides.example/mcp";

/** The launch of each server of a file, and the values that the server would get. */
async function serversOf(file: string, folder = FILES): Promise<Record<string, unknown>> {
  const context = memoryContext([], { cwd: folder, env: ENV });
  const targets = await readConfig(context, file, "agentprint.lock");
  const found = targets.map(async ({ name, launch, readValues }) => {
    const values = await Promise.resolve(readValues()).catch((error: Error) => error.message);
    return [name, launch.type === "stdio" ? [launch.command, ...launch.args] : launch.url, values];
  });
  return Object.fromEntries((await Promise.all(found)).map(([name, ...rest]) => [name, rest]));
}

describe("a configuration of each client", () => {
  test("there is one of every client", () => {
    const names = readdirSync(FILES).map((file) => file.replace(/(-2)?\.\w+$/, ""));
    expect([...new Set(names)].sort()).toEqual([...CLIENT_IDS].sort());
  });

  test.each([
    {
      file: "claude-code.json",
      servers: {
        tides: [TIDES, { "X-Key": "tk" }],
        charts: [["npx", "-y", "charts-mcp"], { CHARTS: "north" }],
      },
    },
    { file: "claude-desktop.json", servers: { charts: [["npx", "-y", "charts-mcp@1.4.0"], { ROOT: "/charts" }] } },
    {
      file: "cursor.json",
      servers: {
        charts: [["npx", "-y", "charts-mcp"], expect.stringContaining(".env")],
        tides: [TIDES, { Authorization: "Bearer tk" }],
      },
    },
    { file: "vscode.json", servers: { charts: [["charts-mcp"], {}], tides: [TIDES, { "X-Key": "asked" }] } },
    { file: "windsurf.json", servers: { tides: [TIDES, { "X-Key": "tk" }] } },
    {
      file: "zed.json",
      servers: {
        charts: [["charts-mcp", "--fast"], {}],
        older: [["older-mcp", "a"], { A: "1" }],
        tides: [TIDES, { "X-Key": "k" }],
      },
    },
    {
      file: "codex.toml",
      servers: {
        charts: [["npx", "-y", "charts-mcp"], { ROOT: "/charts", LANG: "C", CHARTS_KEY: "ck" }],
        tides: [TIDES, { Authorization: "Bearer tk", "X-Region": "north", "X-Boat": "boat" }],
        berths: [["berths-mcp"], { A: "1" }],
      },
    },
    {
      file: "cline.json",
      servers: { charts: [["node", "charts.js"], {}], tides: [TIDES, { "X-Key": "k" }] },
    },
    { file: "roo.json", servers: { charts: [["node", "charts.js"], {}] } },
    { file: "lm-studio.json", servers: { tides: [TIDES, { Authorization: "Bearer k" }] } },
    {
      file: "amp.json",
      servers: { charts: [["npx", "-y", "charts-mcp"], { KEY: "ck" }], tides: [TIDES, { "X-Key": "k" }] },
    },
    {
      file: "goose.yaml",
      servers: {
        charts: [["uvx", "charts-mcp", "--fast"], { ROOT: "/charts", CHARTS_KEY: "ck" }],
        tides: [TIDES, { "X-Key": "k" }],
      },
    },
  ])("$file is read in its own spelling", async ({ file, servers }) => {
    expect(await serversOf(file)).toEqual(servers);
  });

  test.each([
    {
      file: "gemini.json",
      as: ".gemini/settings.json",
      servers: {
        charts: [["charts-mcp", "--key", ref("env:CHARTS_KEY")], { K: "ck" }],
        tides: [TIDES, { "X-Key": "tk" }],
      },
    },
    {
      file: "continue.yaml",
      as: ".continue/config.yaml",
      servers: { charts: [["npx", "-y", "charts-mcp"], { KEY: "ck" }], tides: [TIDES, { "X-Key": "tk" }] },
    },
    {
      file: "opencode.jsonc",
      as: "opencode.jsonc",
      servers: { charts: [["npx", "-y", "charts-mcp"], { KEY: "ck" }], tides: [TIDES, { "X-Key": "tk" }] },
    },
    {
      file: "opencode-2.jsonc",
      as: ".opencode/opencode.jsonc",
      servers: { charts: [["charts-mcp"], expect.stringContaining(`${ref("file:…")} cannot be filled in`)] },
    },
  ])("$as is read with the references of its client", async ({ file, as, servers }) => {
    using workspace = new Workspace();
    mkdirSync(dirname(workspace.path(as)), { recursive: true });
    copyFileSync(FILES + file, workspace.path(as));
    expect(await serversOf(as, workspace.folder)).toEqual(servers);
  });

  test("marks disabled servers and those that the client brings along", async () => {
    const states = async (file: string, ...member: string[]): Promise<string[]> => {
      const config = await parseConfig(readFileSync(FILES + file, "utf8"), file);
      return entriesAt(config, member).map(({ name, state }) => `${name} ${state}`);
    };
    expect(await states("goose.yaml", "extensions")).toEqual([
      "developer built-in",
      "charts on",
      "off off",
      "tides on",
    ]);
    expect(await states("gemini.json", "mcpServers")).toEqual(["charts on", "old off", "tides on"]);
    expect(await states("claude-code.json", "projects", "/srv/harbour", "mcpServers")).toEqual(["berths on"]);
    expect(await states("claude-code.json", "projects", "/elsewhere", "mcpServers")).toEqual([]);
  });
});

describe("a faulty configuration", () => {
  test.each([
    ["no TOML", "c.toml", 'a = 1\nb = "x', "c.toml:2:"],
    ["a key of TOML twice", "c.toml", "[mcp_servers.a]\n[mcp_servers.a]\n", "c.toml:2:"],
    ["no YAML", "c.yaml", "a: [1,\nb: 'x", "c.yaml:2:"],
    ["a name of YAML twice", "c.yaml", "extensions:\n  a: {cmd: x}\n  a: {cmd: y}\n", "c.yaml:3:3"],
    ["an alias", "c.yaml", "x: &x {cmd: x}\nextensions:\n  a: *x\n", "c.yaml:3:6"],
    ["an item without a name", "c.yaml", "mcpServers:\n  - command: x\n", "mcpServers.0"],
    ["deep JSON", "c.json", `{"mcpServers":${"[".repeat(200_000)}`, "nested too deeply"],
    ["deep YAML", "c.yaml", "[".repeat(20_000), "c.yaml"],
    ["deep TOML", "c.toml", `a = ${"[".repeat(20_000)}${"]".repeat(20_000)}`, "nested too deeply"],
    ["servers that are a text", "c.json", '{"mcpServers":"x"}', "mcpServers is no object"],
  ])("%s is an error with its place", async (_, file, text, place) => {
    using workspace = new Workspace();
    writeFileSync(workspace.path(file), text);
    const { code, stderr } = await workspace.run(["pin", "--mcp-config", file]);
    expect(code).toBe(2);
    expect(stderr).toContain("code:      invalid-config");
    expect(stderr).toContain(place);
  });

  test("no file writes into a prototype", async () => {
    const names = ["[__proto__]\npolluted = 1", "[mcp_servers.__proto__]\npolluted = 1", '"__proto__".polluted = 1'];
    for (const text of names) await parseConfig(text, "c.toml");
    await parseConfig("__proto__: { polluted: 1 }", "c.yaml");
    await parseConfig('{"__proto__":{"polluted":1}}', "c.json");
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    const config = await parseConfig("[mcp_servers.a.__proto__]\npolluted = 1", "c.toml");
    expect(() => entriesAt(config, ["mcp_servers"])).toThrow("__proto__ cannot be a name");
  });

  test("any text is a configuration or an invalid-config", async () => {
    const pieces = [
      "[",
      "]",
      "{",
      "}",
      "a",
      "=",
      ":",
      ",",
      "-",
      "\n",
      "  ",
      '"',
      "'",
      "#",
      "&a",
      "*a",
      "!!x",
      "\\",
      "1",
      "|",
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((parts) => parts.join("")),
        fc.constantFrom("c.json", "c.toml", "c.yaml"),
        async (text, file) => {
          const outcome = await parseConfig(text, file).catch((error: unknown) => error);
          expect(outcome).toSatisfy((it: { code?: string }) => !(it instanceof Error) || it.code === "invalid-config");
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("is reported where servers of another client are passed over", async () => {
    using workspace = new Workspace();
    writeFileSync(
      workspace.path("mcp.json"),
      '{"servers":{"a":{"command":"no-such-a"}},"mcpServers":{"b":{"command":"no-such-b"}}}',
    );
    const { stderr } = await workspace.run(["pin", "--mcp-config", "mcp.json"]);
    expect(stderr).toContain("note: mcp.json has mcpServers, and servers, too; only mcpServers was read");
    expect(stderr).toContain("no-such-b");
    expect(stderr).not.toContain("no-such-a");
  });

  test("an envFile that is a pipe is not waited for", async () => {
    using workspace = new Workspace();
    execFileSync("mkfifo", [workspace.path("pipe")]);
    writeFileSync(workspace.path("mcp.json"), '{"mcpServers":{"a":{"command":"x","envFile":"pipe"}}}');
    const { code, stderr } = await workspace.run(["pin", "--mcp-config", "mcp.json"]);
    expect(code).toBe(2);
    expect(stderr).toContain("cannot read pipe: it is no regular file");
  });
});

describe("where a client keeps its files", () => {
  const env = { HOME: "/home/ann", USERPROFILE: "/users/ann" };
  const pathsOf = async (platform: NodeJS.Platform, given: Record<string, string> = {}): Promise<string[]> => {
    const located = await locateFiles({ cwd: "/harbour", env: { ...env, ...given }, platform }, CLIENTS);
    return located.map(({ path }) => path);
  };

  test("is one place on each platform", async () => {
    expect(await pathsOf("darwin")).toContain(
      "/home/ann/Library/Application Support/Claude/claude_desktop_config.json",
    );
    expect(await pathsOf("linux")).toContain("/home/ann/.config/zed/settings.json");
    expect(await pathsOf("freebsd")).toEqual(await pathsOf("linux"));
    expect(await pathsOf("win32")).toContain("/users/ann/AppData/Roaming/Code/User/mcp.json");
    expect(await pathsOf("linux")).toContain("/harbour/.mcp.json");
  });

  test("follows the variables that name a folder", async () => {
    expect(await pathsOf("linux", { XDG_CONFIG_HOME: "/etc/ann" })).toContain("/etc/ann/goose/config.yaml");
    expect(await pathsOf("linux", { CODEX_HOME: "/codex" })).toContain("/codex/config.toml");
    expect(await pathsOf("win32", { APPDATA: "/roaming" })).toContain("/roaming/Claude/claude_desktop_config.json");
  });

  test("can be every file of a folder", async () => {
    using workspace = new Workspace();
    mkdirSync(workspace.path(".continue/mcpServers"), { recursive: true });
    for (const name of ["b.yaml", "a.yaml", "c.json", "d.txt"]) {
      writeFileSync(workspace.path(`.continue/mcpServers/${name}`), "");
    }
    const clients = CLIENTS.filter(({ id }) => id === "continue");
    const located = await locateFiles({ cwd: workspace.folder, env, platform: "linux" }, clients);
    const names = located.filter(({ scope }) => scope === "project").map(({ path }) => path.split("/").at(-1));
    expect(names).toEqual(["a.yaml", "b.yaml", "c.json"]);
  });

  test.each([
    [".mcp.json", "claude-code"],
    ["/home/ann/.gemini/settings.json", "gemini"],
    ["C:\\harbour\\.vscode\\mcp.json", "vscode"],
    [".continue/mcpServers/charts.yaml", "continue"],
    ["other/mcp.json", undefined],
    ["other.mcp.json", undefined],
  ])("%s belongs to %s", (path, id) => {
    expect(clientOfFile(path)?.id).toBe(id);
  });

  test("stands in docs/clients.md", async () => {
    const page = fileURLToPath(new URL("../../../../docs/clients.md", import.meta.url));
    await expect(clientsPage(CLIENTS)).toMatchFileSnapshot(page);
  });
});
