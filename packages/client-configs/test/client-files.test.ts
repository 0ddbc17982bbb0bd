import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { CLIENT_IDS, CLIENTS } from "../src/client-table.ts";
import { clientOfFile, locateFiles } from "../src/locate-files.ts";
import { clientsPage } from "./support/clients-page.ts";

test("there is one of every client", () => {
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
    expect(await pathsOf("win32", { APPDATA: "/roaming" })).toContain("/roaming/Claude/claude_desktop_config.json");
  });

  test("can be every file of a folder", async () => {
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
