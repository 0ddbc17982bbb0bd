import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import { projectAndHome } from "../support/project-and-home.ts";

const [command = "", ...args] = hostile("terminal-escapes");
const env = { HOSTILE_TEXT: "before" };
const PINNED = { command, args, env };
const OTHER = { command, args: [...args, "--other"], env };
const toml = (entry: Partial<typeof PINNED>) =>
  `[mcp_servers.files]\n${Object.entries(entry)
    .map(([name, value]) =>
      name === "env" ? `env = { HOSTILE_TEXT = "before" }` : `${name} = ${JSON.stringify(value)}`,
    )
    .join("\n")}\n`;

const world = projectAndHome();
const atHome = (file: string, value: unknown): void => {
  mkdirSync(dirname(world.home.path(file)), { recursive: true });
  writeFileSync(world.home.path(file), typeof value === "string" ? value : JSON.stringify(value));
};
const pin = async () =>
  expect((await world.run(["pin", "--name", "files", "--env", "HOSTILE_TEXT", "--", command, ...args], env)).code).toBe(
    0,
  );
const mcpServers = (files: object) => ({ mcpServers: { files } });

describe("status and doctor compare what the client starts", () => {
  test("Claude Code: the project's entry at home, then the project's file, then the user's", async () => {
    await pin();
    world.write(".mcp.json", mcpServers(PINNED));
    atHome(".claude.json", mcpServers(OTHER));
    expect((await world.run(["status"])).code).toBe(0);
    atHome(".claude.json", { projects: { [world.workspace.folder]: mcpServers(OTHER) } });
    const { code, stdout } = await world.run(["status"]);
    expect(code).toBe(1);
    expect(stdout).toContain("files of ~/.claude.json, but a different launch is pinned");
    expect(stdout).not.toContain(".mcp.json");
    expect((await world.run(["doctor"])).stdout).not.toContain(".mcp.json");
    // The committed file is compared all the same.
    expect((await world.run(["check"])).code).toBe(0);
    expect((await world.run(["init", "--yes", "--dry-run"])).stdout).toContain(".mcp.json");
  });

  test.each([
    ["gemini", ".gemini/settings.json", mcpServers],
    ["cursor", ".cursor/mcp.json", mcpServers],
  ])("%s: the project's entry", async (_, file, written) => {
    await pin();
    world.write(file, written(PINNED));
    atHome(file, written(OTHER));
    expect((await world.run(["status"])).code).toBe(0);
    world.write(file, written(OTHER));
    atHome(file, written(PINNED));
    expect((await world.run(["status"])).code).toBe(1);
  });

  test("VS Code: both entries, since its documentation does not define the precedence", async () => {
    await pin();
    world.write(".vscode/mcp.json", { servers: { files: PINNED } });
    atHome(".config/Code/User/mcp.json", { servers: { files: OTHER } });
    expect((await world.run(["status"])).stdout).toContain("~/.config/Code/User/mcp.json");
  });

  test("Codex: the members of both files", async () => {
    await pin();
    world.write(".codex/config.toml", toml({ args }));
    atHome(".codex/config.toml", toml({ command, args: ["old.js"], env }));
    expect((await world.run(["status"])).code).toBe(0);
    world.write(".codex/config.toml", toml({ args: [...args, "--other"] }));
    expect((await world.run(["status"])).stdout).toContain("files of .codex/config.toml, but a different launch");
  });
});

test("check compares the merged entry of opencode's two files of a project", async () => {
  await pin();
  const local = (...more: readonly string[]) => ({ type: "local", command: [command, ...args, ...more] });
  world.write("opencode.json", { mcp: { files: { ...local("--other"), environment: env } } });
  world.write(".opencode/opencode.json", { mcp: { files: local() } });
  expect(await world.run(["check"])).toMatchObject({ code: 0, stderr: "" });
  world.write(".opencode/opencode.json", { mcp: { files: local("--more") } });
  const { code, stdout } = await world.run(["check"]);
  expect(code).toBe(2);
  expect(stdout).toContain(".opencode/opencode.json:");
  world.write(".opencode/opencode.json", { mcp: { files: { enabled: false } } });
  expect((await world.run(["check"], env)).code).toBe(0);
});
