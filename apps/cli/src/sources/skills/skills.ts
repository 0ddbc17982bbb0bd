import { dirname } from "node:path";
import type { LockedSkills } from "@agentprint/mcp-lock";
import type { Project, Source } from "../source.ts";

/**
 * The skills and instruction files of the project, if the lock has some. A change cannot take them out of the
 * comparison.
 */
export const SKILLS: Source = {
  needed: (project) => project.scope === "project" && lockedIn(project) !== undefined,
  findings: async (project) => {
    const { checkSkills, SKILL_RULES } = await import("@agentprint/skills");
    const { context, file } = project;
    const { findings, checked, summary } = await checkSkills(
      lockedIn(project) as LockedSkills,
      context.pathOf(dirname(file)),
    );
    return { last: findings, rules: SKILL_RULES, checked, says: summary, isComplete: true };
  },
};

function lockedIn({ lock, before }: Project): LockedSkills | undefined {
  return lock.skills ?? before?.skills;
}
