import type { Report } from "@agentprint/findings";
import { expect, test } from "vitest";
import { checkSkills, readSkills } from "../src/index.ts";
import { Project } from "./project.ts";

const report: Report = {
  command: "agentprint check",
  title: "agentprint check",
  summary: "1 server unchanged",
  outcome: "same",
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
  const alone = await checkSkills({ ...report, outcome: "unknown", servers: [] }, locked, project.folder);
  expect(alone).toMatchObject({ summary: "1 of the skills and instruction files differs", outcome: "same" });
  project.write({ "CLAUDE.md": "x" });
  expect((await checkSkills(report, locked, project.folder)).summary).toContain(
    "2 of the skills and instruction files differ;",
  );
});
