import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { PERMISSION_RULES } from "../../../src/rules/check-rules.ts";
import { matchesPattern } from "../../../src/sources/permissions/list-table.ts";
import { projectAndHome } from "../../support/project-and-home.ts";
import { toolsServer } from "../../support/tools-server.ts";

const world = projectAndHome();
const { write } = world;
const TOOLS = ["list_files", "remove_file", "old_search"];
const SCHEMA = { type: "object", properties: { query: { type: "string" }, deep: { type: "boolean" } } };

/** Returns a server that offers these tools; one of them has its schema under another name. */
const server = (names: readonly string[]): string => {
  const tools = names.map((name) => ({
    name,
    description: name.includes("search") ? "Finds files by a query." : `Does ${name}.`,
    inputSchema: name.includes("search") ? SCHEMA : { type: "object" },
  }));
  return toolsServer(tools, { name: "s", version: "1" });
};

async function pinThenOffer(names: readonly string[]): Promise<void> {
  write("server.cjs", server(TOOLS));
  write(".mcp.json", { mcpServers: { "my.files": { command: process.execPath, args: ["server.cjs"] } } });
  const pin = await world.run(["init", "--yes"]);
  expect(pin).toMatchObject({ code: 0 });
  write("server.cjs", server(names));
}

function writeIn(path: string, content: string | object): void {
  mkdirSync(dirname(world.workspace.path(path)), { recursive: true });
  write(path, content);
}

async function findings(): Promise<string[]> {
  const { stdout } = await world.run(["check", "--format", "json"]);
  const report = JSON.parse(stdout) as { findings: { rule: string; level: string; place: Place; message: string }[] };
  return report.findings
    .filter(({ rule }) => Object.hasOwn(PERMISSION_RULES, rule))
    .map(
      ({ rule, level, place, message }) => `${place.location.file}:${place.location.line} ${level} ${rule} ${message}`,
    );
}

interface Place {
  readonly location: { readonly file: string; readonly line: number };
}

const UPGRADED = ["list_files", "new_search", "wipe_disk"];

test("an upgrade lists the entries of Claude Code's settings that it disables, widens or leaves under an old name", async () => {
  await pinThenOffer(UPGRADED);
  writeIn(
    ".claude/settings.json",
    `{
  "permissions": {
    "allow": ["mcp__my_files__remove_file", "mcp__my_files__*", "mcp__other__*", "Bash(ls:*)", "mcp__*"],
    "ask": ["mcp__my_files__list_files"],
    "deny": [
      "mcp__my_files__old_search", "mcp__my_files__wipe_disk"]
  }
}`,
  );
  expect(await findings()).toEqual([
    ".claude/settings.json:3 warning mcp/permission-ended covers no tool any more; it covered remove_file",
    ".claude/settings.json:3 warning mcp/permission-widened also covers wipe_disk now",
    ".claude/settings.json:6 error mcp/permission-renamed restricts old_search, which the server now calls new_search, but not under that name",
  ]);
  const approve = await world.run(["approve", "my.files"]);
  expect(approve.stdout).toContain("also covers wipe_disk now");
});

test.each([
  [".claude/skills/find/SKILL.md", "allowed-tools: Read, mcp__my_files__remove_file", "mcp/permission-ended"],
  [".claude/agents/team/finder.md", "tools:\n  - Read\n  - mcp__my_files__remove_file", "mcp/permission-ended"],
  [".claude/agents/finder.md", "disallowedTools: mcp__my_files__old_search", "mcp/permission-renamed"],
  [".claude/commands/find.md", "allowed-tools: [mcp__my_files]", "mcp/permission-widened"],
  [".github/agents/finder.agent.md", "tools: ['search', 'my.files/*']", "mcp/permission-widened"],
  [".github/prompts/find.prompt.md", "tools: ['my.files/old_search']", "mcp/permission-renamed"],
])("the front matter of %s with %s has %s", async (path, member, rule) => {
  await pinThenOffer(UPGRADED);
  writeIn(path, `---\ndescription: Finds files\n${member}\n---\n\nUse mcp__my_files__wipe_disk.\n`);
  const line = member.includes("\n") ? 5 : 3;
  expect(await findings()).toEqual([expect.stringMatching(`^${path}:${line} (error|warning) ${rule} `)]);
});

test.each([
  [".vscode/reader.toolsets.jsonc", { reader: { tools: ["read", "my.files/remove_file"] } }, "mcp/permission-ended"],
  [".gemini/settings.json", { mcpServers: { "my.files": { excludeTools: ["old_search"] } } }, "mcp/permission-renamed"],
  [".codex/config.toml", '[mcp_servers."my.files"]\nenabled_tools = ["remove_file"]\n', "mcp/permission-ended"],
])("%s is read", async (path, content, rule) => {
  await pinThenOffer(UPGRADED);
  writeIn(path, content);
  expect(await findings()).toContainEqual(expect.stringContaining(rule));
});

test("a rule of the policy for calls of a renamed tool is named", async () => {
  await pinThenOffer(UPGRADED);
  const calls = { old_search: { deny: true } };
  write("agentprint.config.json", { preset: "compatible", servers: { "my.files": { calls } } });
  expect(await findings()).toContainEqual(
    expect.stringMatching(/^agentprint.config.json:\d+ error mcp\/permission-renamed/),
  );
});

test("a file that cannot be read is named, and no file is read where no tool came or went", async () => {
  await pinThenOffer(UPGRADED);
  writeIn(".claude/settings.json", "{");
  const check = await world.run(["check"]);
  expect(check.stderr).toContain("whether a change affects a list of tools is unknown");
  write("server.cjs", server(TOOLS));
  expect((await world.run(["check"])).stderr).not.toContain("list of tools");
});

test.each([
  ["a*c", "abc", true],
  ["a*c", "ab", false],
  ["*", "", true],
  ["a*b*c", "aXbXc", true],
  ["a*b*b", "ab", false],
  ["ab*b", "ab", false],
  ["abc", "abc", true],
])("the pattern %s and %s: %s", (pattern, text, matches) => {
  expect(matchesPattern(pattern, text)).toBe(matches);
});

test("a hostile pattern takes time that grows with the text alone", () => {
  expect(matchesPattern(`${"a*".repeat(50_000)}b`, `${"a".repeat(100_000)}c`)).toBe(false);
});
