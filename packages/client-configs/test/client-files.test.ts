import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { CLIENT_IDS, CLIENTS } from "../src/client-table.ts";
import { namesWithPlaces } from "../src/configured-servers.ts";
import { clientOfFile, locateFiles, settingsOf } from "../src/locate-files.ts";
import { parseConfig } from "../src/parse-config.ts";
import { lineAt } from "../src/parsed-config.ts";
import { clientsPage } from "./support/clients-page.ts";

test("every client has one", () => {
  const names = readdirSync(new URL("files/", import.meta.url)).map((file) => file.replace(/(-2)?\.\w+$/, ""));
  expect([...new Set(names)].sort()).toEqual([...CLIENT_IDS].sort());
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
    expect(await pathsOf("linux", { COPILOT_HOME: "/copilot" })).toContain("/copilot/mcp-config.json");
    expect(await pathsOf("linux")).toContain("/home/ann/.copilot/mcp-config.json");
    expect(await pathsOf("win32", { APPDATA: "/roaming" })).toContain("/roaming/Claude/claude_desktop_config.json");
  });

  test("is read once where several clients read it, as a file of the first", async () => {
    const surroundings = { cwd: "/harbour", env, platform: "linux" } as const;
    const ownersOf = async (clients: typeof CLIENTS): Promise<string[]> => {
      const located = await locateFiles(surroundings, clients);
      return located.filter(({ path }) => path === "/harbour/.mcp.json").map(({ client }) => client.id);
    };
    expect(await ownersOf(CLIENTS)).toEqual(["claude-code"]);
    expect(await ownersOf(CLIENTS.filter(({ id }) => id !== "claude-code"))).toEqual(["copilot"]);
    const places = (await locateFiles(surroundings, CLIENTS)).map(({ path, member }) => [path, ...member].join(" "));
    expect(new Set(places).size).toBe(places.length);
    expect(places).toContain("/home/ann/.claude.json projects /harbour mcpServers");
    expect(places).toContain("/home/ann/.claude.json mcpServers");
  });

  test("can include every file in a folder", async () => {
    const project = mkdtempSync(join(tmpdir(), "agentprint-client-files-"));
    mkdirSync(join(project, ".continue/mcpServers"), { recursive: true });
    for (const name of ["b.yaml", "a.yaml", "c.json", "d.txt"]) {
      writeFileSync(join(project, ".continue/mcpServers", name), "");
    }
    const clients = CLIENTS.filter(({ id }) => id === "continue");
    const located = await locateFiles({ cwd: project, env, platform: "linux" }, clients);
    const names = located.filter(({ scope }) => scope === "project").map(({ path }) => path.split("/").at(-1));
    expect(names).toEqual(["a.yaml", "b.yaml", "c.json"]);
    rmSync(join(project, ".continue/mcpServers"), { recursive: true });
    writeFileSync(join(project, ".continue/mcpServers"), "");
    await expect(locateFiles({ cwd: project, env, platform: "linux" }, clients)).rejects.toThrow("ENOTDIR");
    rmSync(project, { recursive: true });
  });

  test.each([
    [".mcp.json", "claude-code"],
    ["/home/ann/.gemini/settings.json", "gemini"],
    ["C:\\harbour\\.vscode\\mcp.json", "vscode"],
    [".continue/mcpServers/charts.yaml", "continue"],
    [".kiro/settings/mcp.json", "kiro"],
    [".kiro/agents/reviewer.json", "kiro"],
    [".junie/mcp/mcp.json", "junie"],
    [".kilocode/mcp.json", "kilo"],
    ["kilo.jsonc", "kilo"],
    ["opencode.json", "opencode"],
    [".github/mcp.json", "copilot"],
    [".trae/mcp.json", "trae"],
    [".crush.json", "crush"],
    ["crush.json", "crush"],
    [".amazonq/mcp.json", "amazon-q"],
    [".amazonq/cli-agents/reviewer.json", "amazon-q"],
    [".factory/mcp.json", "factory"],
    [".codebuddy/mcp.json", "codebuddy"],
    [".qwen/settings.json", "qwen"],
    ["other/mcp.json", undefined],
    ["other.mcp.json", undefined],
  ])("%s belongs to %s", (path, id) => {
    expect(clientOfFile(path)?.id).toBe(id);
  });

  test("stands in docs/clients.md", async () => {
    const page = fileURLToPath(new URL("../../../docs/clients.md", import.meta.url));
    await expect(clientsPage(CLIENTS)).toMatchFileSnapshot(page);
  });
});

describe("settings that switch servers off", () => {
  const env = { HOME: "/home/ann" };
  const settingsOfFile = (path: string, client = clientOfFile(path)) =>
    settingsOf({ cwd: "/harbour", env, platform: "linux" }, path, client);

  test("are next to the file, and in the home folder of one person", () => {
    const found = settingsOfFile("services/.mcp.json");
    expect(found.map(({ path, isPersonal }) => [path, isPersonal])).toEqual([
      ["/harbour/services/.claude/settings.json", false],
      ["/harbour/services/.claude/settings.local.json", true],
      ["/home/ann/.claude/settings.json", true],
    ]);
  });

  test.each([".cursor/mcp.json", "other.json", "-"])("do not apply to %s", (path) => {
    expect(settingsOfFile(path)).toEqual([]);
  });

  test("do not apply to another client that reads the same file", () => {
    expect(settingsOfFile(".mcp.json")).toHaveLength(3);
    const copilot = CLIENTS.find(({ id }) => id === "copilot");
    expect(settingsOfFile(".mcp.json", copilot)).toEqual([]);
  });

  test("name servers, each at its place", async () => {
    const config = await parseConfig('{\n "off": [\n  "one",\n  "two"\n ]\n}', "settings.json");
    const names = [...namesWithPlaces(config, "off")].map(([name, start]) => [name, lineAt(config, start)]);
    expect(names).toEqual([
      ["one", 3],
      ["two", 4],
    ]);
    expect(namesWithPlaces(config, "other")).toEqual(new Map());
  });

  test.each(["1", '["one", 2]', '["one", ["two"]]', "null"])("are an error where the list is %s", async (list) => {
    const config = await parseConfig(`{ "off": ${list} }`, "settings.json");
    expect(() => namesWithPlaces(config, "off")).toThrow("expected a list of names");
  });
});
