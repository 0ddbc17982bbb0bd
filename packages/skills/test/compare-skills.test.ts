import type { LockedSkill, LockedSkills } from "@agentprint/mcp-lock";
import { describe, expect, test } from "vitest";
import { compareSkills, SKILL_RULES, type SkillRuleId } from "../src/index.ts";

const [A, B] = ["a".repeat(64), "b".repeat(64)] as [string, string];
const skill: LockedSkill = {
  path: ".claude/skills/pdf",
  name: "pdf",
  tree: A,
  text: A,
  scripts: { "scripts/fill.py": A },
  rest: A,
  allowedTools: ["Read"],
};
const agents = { path: "AGENTS.md", digest: A };
const skills: LockedSkills = { folders: [skill], instructions: [agents] };
const withSkill = (changed: Partial<LockedSkill>): LockedSkills => ({ ...skills, folders: [{ ...skill, ...changed }] });
const { allowedTools: _, ...unread } = skill;

const CHANGES: readonly (readonly [string, LockedSkills, LockedSkills, readonly SkillRuleId[]])[] = [
  ["nothing", skills, skills, []],
  ["a skill more", { ...skills, folders: [] }, skills, ["skills/skill-added"]],
  ["a skill less", skills, { ...skills, folders: [] }, ["skills/skill-removed"]],
  ["an instruction file more", { ...skills, instructions: [] }, skills, ["skills/instructions-added"]],
  ["one less", skills, { ...skills, instructions: [] }, ["skills/instructions-removed"]],
  ["one other", skills, { ...skills, instructions: [{ ...agents, digest: B }] }, ["skills/instructions-changed"]],
  ["another SKILL.md", skills, withSkill({ text: B, tree: B }), ["skills/instructions-changed"]],
  ["another script", skills, withSkill({ scripts: { "scripts/fill.py": B } }), ["skills/script-changed"]],
  ["a script less", skills, withSkill({ scripts: {} }), ["skills/script-removed"]],
  ["a script more", withSkill({ scripts: {} }), skills, ["skills/script-added"]],
  ["a renamed script", skills, withSkill({ scripts: { "a.sh": A } }), ["skills/script-added", "skills/script-removed"]],
  ["other files", skills, withSkill({ rest: B }), ["skills/files-changed"]],
  ["a tool more", skills, withSkill({ allowedTools: ["Bash", "Read"] }), ["skills/permissions-widened"]],
  ["a tool less", skills, withSkill({ allowedTools: [] }), ["skills/permissions-narrowed"]],
  [
    "another tool",
    skills,
    withSkill({ allowedTools: ["Bash"] }),
    ["skills/permissions-widened", "skills/permissions-narrowed"],
  ],
  ["tools that cannot be read any more", skills, { ...skills, folders: [unread] }, ["skills/permissions-unread"]],
  ["tools that can be read now", { ...skills, folders: [unread] }, skills, ["skills/permissions-widened"]],
  ["tools that could never be read", { ...skills, folders: [unread] }, { ...skills, folders: [unread] }, []],
];

describe("each kind of change has a rule", () => {
  test.each(CHANGES)("%s", (_name, before, after, rules) => {
    const findings = compareSkills(before, after);
    expect(findings.map(({ rule }) => rule)).toEqual(rules);
    for (const { rule, level, place, before: old, after: now } of findings) {
      expect(level).toBe(SKILL_RULES[rule].level);
      expect([skill.path, agents.path]).toContain(place.subject);
      expect(old ?? now).toBeDefined();
    }
  });

  test("and each rule is one of a kind above", () => {
    const seen = new Set(CHANGES.flatMap(([, , , rules]) => rules));
    expect([...seen].sort()).toEqual(Object.keys(SKILL_RULES).sort());
  });
});

test("what a skill allows more is named", () => {
  const [widened] = compareSkills(skills, withSkill({ allowedTools: ["Bash", "Read", "Write"] }));
  expect(widened).toMatchObject({
    message: "the skill allows Bash, Write",
    before: ["Read"],
    after: ["Bash", "Read", "Write"],
  });
});

test("a script named like a member of objects is compared as any other", () => {
  const [finding] = compareSkills(skills, withSkill({ scripts: { "scripts/fill.py": A, constructor: A } }));
  expect(finding).toMatchObject({ rule: "skills/script-added", after: "constructor" });
});
