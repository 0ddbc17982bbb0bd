import { rmSync, symlinkSync } from "node:fs";
import { SKILL_RULES } from "@agentprint/skills";
import { describe, expect, test } from "vitest";
import { projectAndHome } from "../support/project-and-home.ts";
import { HAS_GIT, Repository } from "../support/repository.ts";
import { toolsServer } from "../support/tools-server.ts";

const world = projectAndHome();
const { write } = world;
const SKILL = "---\nname: pdf\nallowed-tools: Read\n---\nFill forms.\n";

const SERVER = toolsServer([{ name: "read", inputSchema: { type: "object" } }]);

interface Found {
  readonly findings: readonly { readonly rule: string; readonly level: string; readonly place: { subject: string } }[];
}

async function pinned(): Promise<void> {
  write(".claude/skills/pdf/SKILL.md", SKILL);
  write(".claude/skills/pdf/scripts/fill.py", "print()");
  write("AGENTS.md", "Be kind.\n");
  expect(await world.run(["pin", "--skills"])).toMatchObject({ code: 0, stderr: "" });
}

async function check(...args: string[]): Promise<{ readonly code: number | null; readonly rules: readonly string[] }> {
  const { code, stdout } = await world.run(["check", "--format", "json", ...args]);
  const { findings } = JSON.parse(stdout) as Found;
  return { code, rules: findings.map(({ rule, place }) => `${rule} ${place.subject}`) };
}

describe("pin --skills", () => {
  test("prints the pinned files, and a check without servers finds them unchanged", async () => {
    await pinned();
    const again = await world.run(["pin", "--skills"]);
    expect(again.stdout).toBe("pinned .claude/skills/pdf pdf, 1 script\n  allows Read\npinned AGENTS.md\n");
    expect(await check()).toEqual({ code: 0, rules: [] });
    expect((await world.run(["check"])).stdout).toContain("none of the skills and instruction files differ");
  });

  test("reports that the tools of a skill are not known, and so does each check", async () => {
    write(".claude/skills/pdf/SKILL.md", "---\na: &a allowed-tools\n*a : Bash\n---\nFill forms.\n");
    const said = expect.stringContaining(".claude/skills/pdf: its frontmatter is too complex to read");
    expect(await world.run(["pin", "--skills"])).toMatchObject({ code: 0, stderr: said });
    expect(await world.run(["pin", "--skills"])).toMatchObject({ code: 0, stderr: said });
    expect(await check()).toEqual({ code: 0, rules: ["skills/permissions-unread .claude/skills/pdf"] });
  });

  test("records that there is nothing, so that the first skill is a finding", async () => {
    expect((await world.run(["pin", "--skills"])).stdout).toContain("no skills");
    write("CLAUDE.md", "x");
    expect(await check()).toEqual({ code: 1, rules: ["skills/instructions-added CLAUDE.md"] });
  });

  test("replaces another state only on request", async () => {
    await pinned();
    write("AGENTS.md", "Be rude.\n");
    const before = world.workspace.lockText();
    const refused = await world.run(["pin", "--skills"]);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("the lock pins another state of AGENTS.md");
    expect(world.workspace.lockText()).toBe(before);
    const { code, stdout } = await world.run(["pin", "--skills", "--replace", "--format", "json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).skills.instructions).toHaveLength(1);
    expect(await check()).toEqual({ code: 0, rules: [] });
  });

  test.each([
    ["--url", "http://localhost:1"],
    ["--registry", "a/b"],
    ["--", "node"],
  ])("pins no server at once: %s", async (...launch) => {
    expect(await world.run(["pin", "--skills", ...launch])).toMatchObject({ code: 2 });
  });

  test("names a link that leaves its folder, and writes nothing", async () => {
    write("AGENTS.md", "x");
    symlinkSync(world.home.folder, world.workspace.path("CLAUDE.md"));
    const { code, stderr } = await world.run(["pin", "--skills"]);
    expect(code).toBe(2);
    expect(stderr).toContain("CLAUDE.md is or has a symbolic link that leaves the folder");
    expect(() => world.workspace.lockText()).toThrow();
  });
});

describe("check", () => {
  test("tells the kinds of change apart", async () => {
    await pinned();
    write(".claude/skills/pdf/SKILL.md", SKILL.replace("Read", "Read, Bash"));
    write(".claude/skills/pdf/scripts/fill.py", "import os");
    write(".github/skills/new/SKILL.md", SKILL);
    rmSync(world.workspace.path("AGENTS.md"));
    const { code, rules } = await check();
    expect(code).toBe(1);
    expect(rules).toEqual([
      "skills/instructions-removed AGENTS.md",
      "skills/permissions-widened .claude/skills/pdf",
      "skills/instructions-changed .claude/skills/pdf",
      "skills/script-changed .claude/skills/pdf",
      "skills/skill-added .github/skills/new",
    ]);
    const { stdout } = await world.run(["check"]);
    expect(stdout).toContain("3 of the skills and instruction files differ");
    expect(stdout).toContain("the skill allows Bash");
    expect(stdout).toContain("agentprint pin --skills --replace");
  });

  test("ends 2 where a file cannot be read", async () => {
    await pinned();
    rmSync(world.workspace.path("AGENTS.md"));
    symlinkSync("gone.md", world.workspace.path("AGENTS.md"));
    const { code, stderr } = await world.run(["check"]);
    expect(code).toBe(2);
    expect(stderr).toContain("AGENTS.md");
  });

  test("reads no skill if the lock has none, and reads all with a server", async () => {
    write("server.cjs", SERVER);
    const pin = ["pin", "--name", "files", "--", process.execPath, "server.cjs"];
    expect(await world.run(pin)).toMatchObject({ code: 0 });
    expect(world.workspace.lock()).not.toHaveProperty("skills");
    write("AGENTS.md", "x");
    expect(await check()).toEqual({ code: 0, rules: [] });
    expect(await world.run(["pin", "--skills"])).toMatchObject({ code: 0 });
    write("AGENTS.md", "y");
    expect(await check()).toEqual({ code: 1, rules: ["skills/instructions-changed AGENTS.md"] });
    expect(await check("files")).toEqual({ code: 0, rules: [] });
    expect(await world.run([...pin.slice(0, 1), "--replace", ...pin.slice(1)])).toMatchObject({ code: 0 });
    expect(await check()).toEqual({ code: 1, rules: ["skills/instructions-changed AGENTS.md"] });
  });

  test("decides by the policy of the project", async () => {
    await pinned();
    const ignores = [{ rule: "skills/script-changed", until: "2999-01-01", reason: "made by the build" }];
    write("agentprint.config.json", { ignores });
    await world.run(["approve", "--policy", "--yes"]);
    write(".claude/skills/pdf/scripts/fill.py", "import os");
    expect(await check()).toEqual({ code: 0, rules: [] });
  });

  test("explains each rule", async () => {
    for (const rule of Object.keys(SKILL_RULES)) {
      expect(await world.run(["explain", rule])).toMatchObject({ code: 0 });
    }
  });
});

describe("check --base", () => {
  test.skipIf(!HAS_GIT)(
    "names the accepted parts of the change, and compares with the base if the change takes the skills out of the lock",
    async () => {
      write("server.cjs", SERVER);
      await world.run(["pin", "--name", "files", "--", process.execPath, "server.cjs"]);
      await pinned();
      const base = new Repository(world.workspace.folder).commit();
      write("AGENTS.md", "Be rude.\n");
      expect(await world.run(["pin", "--skills", "--replace"])).toMatchObject({ code: 0 });
      expect(await check("--base", base)).toEqual({ code: 0, rules: ["skills/instructions-changed AGENTS.md"] });
      const { stdout } = await world.run(["check", "--base", base]);
      expect(stdout).toContain("approves 1 finding (skills/instructions-changed 1)");
      const { skills: _, ...without } = world.workspace.lock();
      write("agentprint.lock", without);
      expect(await check("--base", base)).toEqual({ code: 1, rules: ["skills/instructions-changed AGENTS.md"] });
    },
  );
});
