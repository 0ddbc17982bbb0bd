import type { Report } from "@agentprint/findings";
import { expect, test } from "vitest";
import { checkSkills, readSkills } from "../src/index.ts";
import { Project } from "./project.ts";

const report: Report = {
  command: "agentprint check",
  title: "agentprint check",
  summary: "1 server unchanged",
  findings: [],
  rules: {},
  checked: ["files"],
  data: {},
  servers: [{ name: "files", outcome: "same" }] as unknown as NonNullable<Report["servers"]>,
};

test("what did not change is checked, and the report says the same", async () => {
  using project = new Project().write({ "AGENTS.md": "x", ".agents/skills/a/SKILL.md": "x" });
  const locked = await readSkills(project.folder);
  const { rules, ...rest } = await checkSkills(report, locked, project.folder);
  const { rules: _, ...before } = report;
  const summary = "none of the skills and instruction files differ; 1 server unchanged";
  expect(rest).toEqual({ ...before, summary, checked: ["files", ".agents/skills/a", "AGENTS.md"] });
  expect(Object.keys(rules)).toContain("skills/skill-added");
});

test("what changed comes first in the summary, and alone where the lock has no server", async () => {
  using project = new Project().write({ "AGENTS.md": "x" });
  const locked = await readSkills(project.folder);
  project.write({ "AGENTS.md": "y" });
  const beside = await checkSkills(report, locked, project.folder);
  expect(beside.summary).toBe("1 of the skills and instruction files differs; 1 server unchanged");
  const alone = await checkSkills(
    { ...report, couldNotTell: "nothing was checked", servers: [] },
    locked,
    project.folder,
  );
  expect(alone.summary).toBe("1 of the skills and instruction files differs");
  expect(alone.couldNotTell).toBeUndefined();
  project.write({ "CLAUDE.md": "x" });
  expect((await checkSkills(report, locked, project.folder)).summary).toContain(
    "2 of the skills and instruction files differ;",
  );
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
  const same = await checkSkills(report, locked, project.folder);
  expect(same.findings).toMatchObject([remark]);
  expect(same.summary).toContain("none of the skills");
  expect(
    (await checkSkills(report, readable, project.folder)).findings.map(({ rule, level }) => `${level} ${rule}`),
  ).toEqual(["warning skills/permissions-unread", "error skills/instructions-changed"]);
  const added = await checkSkills(report, { folders: [], instructions: [] }, project.folder);
  expect(added.findings.map(({ rule }) => rule)).toEqual(["skills/skill-added", "skills/permissions-unread"]);
});
