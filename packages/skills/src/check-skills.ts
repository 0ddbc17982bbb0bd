import type { Report } from "@agentprint/findings";
import type { LockedSkills } from "@agentprint/mcp-lock";
import { compareSkills } from "./compare-skills.ts";
import { readSkills } from "./read-skills.ts";
import { SKILL_RULES } from "./rules.ts";

/**
 * Returns a report on servers with what changed in the skills and instruction files of their project.
 *
 * @param folder The folder of the project.
 * @throws {@link SkillsError} when one of the files cannot be read.
 */
export async function checkSkills(report: Report, locked: LockedSkills, folder: string): Promise<Report> {
  const found = await readSkills(folder);
  const findings = compareSkills(locked, found);
  const paths = [...found.folders, ...found.instructions].map(({ path }) => path);
  const subjects = findings.map(({ place }) => place.subject);
  const differing = new Set(findings.filter(({ level }) => level !== "note").map(({ place }) => place.subject)).size;
  const verb = differing === 1 ? "differs" : "differ";
  const words = `${differing === 0 ? "none" : differing} of the skills and instruction files ${verb}`;
  const hasServers = report.servers?.length !== 0;
  return {
    ...report,
    // A check of a lock that has no server is complete.
    outcome: hasServers ? report.outcome : "same",
    summary: hasServers ? `${words}; ${report.summary}` : words,
    findings: [...report.findings, ...findings],
    rules: { ...report.rules, ...SKILL_RULES },
    checked: [...new Set([...report.checked, ...paths, ...subjects])],
  };
}
