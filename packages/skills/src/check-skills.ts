import { findingKinds, type Report } from "@agentprint/findings";
import type { LockedSkills } from "@agentprint/mcp-lock";
import { compareSkills, type SkillFinding } from "./compare-skills.ts";
import { readSkills } from "./read-skills.ts";
import { SKILL_RULES } from "./rules.ts";

const byRule = /* @__PURE__ */ findingKinds(SKILL_RULES);

/**
 * Returns a report on servers with what changed in the skills and instruction files of their project.
 *
 * @param folder The folder of the project.
 * @throws {@link SkillsError} when one of the files cannot be read.
 */
export async function checkSkills(report: Report, locked: LockedSkills, folder: string): Promise<Report> {
  const found = await readSkills(folder, { pinned: locked.instructions.map(({ path }) => path) });
  const changes = compareSkills(locked, found);
  const findings = [...changes, ...unreadSkills(found, changes)];
  const paths = [...found.folders, ...found.instructions].map(({ path }) => path);
  const subjects = findings.map(({ place }) => place.subject);
  const differing = new Set(findings.filter(({ level }) => level !== "note").map(({ place }) => place.subject)).size;
  const verb = differing === 1 ? "differs" : "differ";
  const words = `${differing === 0 ? "none" : differing} of the skills and instruction files ${verb}`;
  const hasServers = report.servers?.length !== 0;
  return {
    ...report,
    // A check of a lock that has no server is complete.
    couldNotTell: undefined,
    summary: hasServers ? `${words}; ${report.summary}` : words,
    findings: [...report.findings, ...findings],
    rules: { ...report.rules, ...SKILL_RULES },
    checked: [...new Set([...report.checked, ...paths, ...subjects])],
  };
}

/** The remarks on skills whose allowed tools nobody can compare: no difference, and nothing that a check may be silent about. */
function unreadSkills({ folders }: LockedSkills, changes: readonly SkillFinding[]): SkillFinding[] {
  const rule = "skills/permissions-unread";
  const told = new Set(changes.filter((change) => change.rule === rule).map(({ place }) => place.subject));
  const unread = folders.filter(({ path, allowedTools }) => allowedTools === undefined && !told.has(path));
  return unread.map(({ path }) => ({
    ...byRule(rule, "the allowed tools cannot be read, and were not compared"),
    level: "note",
    place: { subject: path },
    isRemark: true,
  }));
}
