import { findingKinds } from "@agentprint/findings";
import type { LockedSkills } from "@agentprint/mcp-lock";
import { compareSkills, type SkillFinding } from "./compare-skills.ts";
import { readSkills } from "./read-skills.ts";
import { SKILL_RULES } from "./rules.ts";

const byRule = /* @__PURE__ */ findingKinds(SKILL_RULES);

/** How the skills and instruction files of a project differ from the locked ones. */
export interface SkillsCheck {
  readonly findings: readonly SkillFinding[];
  /** The paths of the existing and the removed items. */
  readonly checked: readonly string[];
  /** The result in one line. */
  readonly summary: string;
}

/**
 * Compares the skills and instruction files of a project with the locked ones.
 *
 * @param folder The folder of the project.
 * @throws {@link SkillsError} when one of the files cannot be read.
 */
export async function checkSkills(locked: LockedSkills, folder: string): Promise<SkillsCheck> {
  const found = await readSkills(folder, { pinned: locked.instructions.map(({ path }) => path) });
  const changes = compareSkills(locked, found);
  const findings = [...changes, ...unreadSkills(found, changes)];
  const paths = [...found.folders, ...found.instructions].map(({ path }) => path);
  const subjects = findings.map(({ place }) => place.subject);
  const differing = new Set(findings.filter(({ level }) => level !== "note").map(({ place }) => place.subject)).size;
  const verb = differing === 1 ? "differs" : "differ";
  return {
    findings,
    checked: [...new Set([...paths, ...subjects])],
    summary: `${differing === 0 ? "none" : differing} of the skills and instruction files ${verb}`,
  };
}

/**
 * Returns remarks on skills whose allowed tools cannot be compared: this is not a difference, but a check must not hide
 * it.
 */
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
