import { expect, test } from "vitest";
import { fillFolder } from "../support/fill-folder.ts";
import { projectAndHome } from "../support/project-and-home.ts";

const world = projectAndHome();
const { write } = world;
const SERVERS = JSON.stringify({ mcpServers: { evil: { command: "sh", args: ["-c", "x"] } } });
const SKILL = "---\nname: evil\ndescription: d\nallowed-tools: Bash\n---\n";

async function findings(): Promise<{ readonly code: number | null; readonly found: readonly string[] }> {
  const { code, stdout } = await world.run(["check", "--format", "json"]);
  const { findings: all } = JSON.parse(stdout) as {
    readonly findings: readonly { readonly rule: string; readonly place: { readonly subject: string } }[];
  };
  return { code, found: all.map(({ rule, place }) => `${rule} ${place.subject}`) };
}

async function diagnosed(): Promise<{ readonly code: number | null; readonly found: unknown }> {
  const { code, stdout } = await world.run(["doctor", "--format", "json"]);
  return { code, found: JSON.parse(stdout).otherCases };
}

test.each([
  [".claude/skills/evil/skill.md", ".claude/skills/evil/SKILL.md", SKILL],
  [".claude/skills/a/b/Skill.md", ".claude/skills/a/b/SKILL.md", SKILL],
  [".Claude/skills/evil/SKILL.md", ".claude/skills/evil/SKILL.md", SKILL],
  [".claude/Skills/evil/SKILL.MD", ".claude/skills/evil/SKILL.md", SKILL],
  ["claude.md", "CLAUDE.md", "Obey."],
  ["Agents.MD", "AGENTS.md", "Obey."],
  [".Claude/agents/reviewer.md", ".claude/agents/reviewer.md", "Obey."],
  [".cursor/Rules/more/a.mdc", ".cursor/rules/more/a.mdc", "Obey."],
  ["agent\u017f.md", "AGENTS.md", "Obey."],
  [".github/Copilot-Instructions.md", ".github/copilot-instructions.md", "Obey."],
  [".MCP.json", ".mcp.json", SERVERS],
  [".Cursor/mcp.json", ".cursor/mcp.json", SERVERS],
  [".Kiro/settings/MCP.json", ".kiro/settings/mcp.json", SERVERS],
  [".continue/mcpservers/a.YAML", ".continue/mcpServers/a.yaml", "mcpServers: []"],
  [".claude/Settings.json", ".claude/settings.json", "{}"],
])("%s is a finding of check and of doctor, and its servers are not started", async (path, opened, text) => {
  write(".claude/skills/good/SKILL.md", SKILL);
  write("AGENTS.md", "Be kind.");
  expect((await world.run(["pin", "--skills"])).code).toBe(0);
  expect(await findings()).toEqual({ code: 0, found: [] });
  expect(await diagnosed()).toEqual({ code: 0, found: [] });
  write(path, text);
  expect(await findings()).toEqual({ code: 1, found: [`mcp/name-in-another-case ${path}`] });
  expect(await diagnosed()).toEqual({ code: 1, found: [{ path, opened }] });
  const said = (await world.run(["doctor"])).stdout;
  expect(said).toContain(`${path} is read as ${opened} on macOS and Windows\n`);
  expect(said).not.toContain("no known client reads");
});

test("two skills that only case tells apart are a finding each", async () => {
  write(".claude/skills/good/SKILL.md", SKILL);
  write(".claude/skills/Good/SKILL.md", SKILL);
  expect((await world.run(["pin", "--skills"])).code).toBe(0);
  const [upper, lower] = [".claude/skills/Good", ".claude/skills/good"];
  expect(await findings()).toEqual({
    code: 1,
    found: [`mcp/name-in-another-case ${upper}`, `mcp/name-in-another-case ${lower}`],
  });
  expect(await diagnosed()).toEqual({
    code: 1,
    found: [
      { path: upper, opened: lower },
      { path: lower, opened: upper },
    ],
  });
});

test("other names, files below a skill, and names in a project whose skills are not pinned are not findings", async () => {
  write(".cursor/mcp.json", '{"mcpServers":{}}');
  write(".claude/skills/good/SKILL.md", SKILL);
  write(".claude/skills/good/more/skill.md", "A file of the skill.");
  write("docs/claude.md", "Text.");
  write("src/.MCP.json", SERVERS);
  write(".cursor/mcp.JSON.bak", SERVERS);
  expect((await world.run(["pin", "--skills"])).code).toBe(0);
  expect(await findings()).toEqual({ code: 0, found: [] });
  expect(await diagnosed()).toEqual({ code: 0, found: [] });
});

test("a folder with more entries than are compared ends 2", async () => {
  write("AGENTS.md", "Be kind.");
  expect((await world.run(["pin", "--skills"])).code).toBe(0);
  fillFolder(world.workspace.folder, 5001);
  expect((await findings()).code).toBe(2);
  const { code, stderr } = await world.run(["doctor"]);
  expect(code).toBe(2);
  expect(stderr).toContain("has names in another case: it has more than 5000 entries");
});

test("doctor does not mention instruction files that nobody pinned", async () => {
  write("claude.md", "Text.");
  expect(await diagnosed()).toEqual({ code: 0, found: [] });
  write(".MCP.json", SERVERS);
  expect(await diagnosed()).toEqual({ code: 1, found: [{ path: ".MCP.json", opened: ".mcp.json" }] });
});
