import { expect, test } from "vitest";
import { checkSkills, readSkills } from "../src/index.ts";
import { Project } from "./project.ts";

test("what did not change is checked, and none of it differs", async () => {
  using project = new Project().write({ "AGENTS.md": "x", ".agents/skills/a/SKILL.md": "x" });
  const locked = await readSkills(project.folder);
  expect(await checkSkills(locked, project.folder)).toEqual({
    findings: [],
    checked: [".agents/skills/a", "AGENTS.md"],
    summary: "none of the skills and instruction files differ",
  });
});

test("what changed is counted in the summary, and what is gone is checked, too", async () => {
  using project = new Project().write({ "AGENTS.md": "x" });
  const locked = await readSkills(project.folder);
  project.write({ "AGENTS.md": "y" });
  const changed = await checkSkills(locked, project.folder);
  expect(changed.summary).toBe("1 of the skills and instruction files differs");
  project.write({ "CLAUDE.md": "x" });
  expect((await checkSkills(locked, project.folder)).summary).toBe("2 of the skills and instruction files differ");
  using empty = new Project();
  expect((await checkSkills(locked, empty.folder)).checked).toEqual(["AGENTS.md"]);
});

test("a skill whose allowed tools cannot be read is named at each check, and is no difference", async () => {
  const merged = "---\nbase: &base { allowed-tools: Bash }\n<<: *base\n---\nText.\n";
  using project = new Project().write({ ".agents/skills/a/SKILL.md": "---\nallowed-tools: Read\n---\n" });
  const readable = await readSkills(project.folder);
  project.write({ ".agents/skills/a/SKILL.md": merged });
  const locked = await readSkills(project.folder);
  const remark = {
    rule: "skills/permissions-unread",
    level: "note",
    isRemark: true,
    place: { subject: ".agents/skills/a" },
  };
  const same = await checkSkills(locked, project.folder);
  expect(same.findings).toMatchObject([remark]);
  expect(same.summary).toContain("none of the skills");
  expect((await checkSkills(readable, project.folder)).findings.map(({ rule, level }) => `${level} ${rule}`)).toEqual([
    "warning skills/permissions-unread",
    "error skills/instructions-changed",
  ]);
  const added = await checkSkills({ folders: [], instructions: [] }, project.folder);
  expect(added.findings.map(({ rule }) => rule)).toEqual(["skills/skill-added", "skills/permissions-unread"]);
});
