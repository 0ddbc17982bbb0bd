import type { JsonValue } from "@agentprint/canonical-json";
import { compareCodeUnits } from "@agentprint/canonical-json";
import { type Finding, findingKinds } from "@agentprint/findings";
import type { LockedSkill, LockedSkills } from "@agentprint/mcp-lock";
import { SKILL_RULES, type SkillRuleId } from "./rules.ts";

const byRule = /* @__PURE__ */ findingKinds(SKILL_RULES);

/** A finding about a file that agents read in a project. */
export type SkillFinding = Finding<SkillRuleId>;

/**
 * Returns how the skills and instruction files of a project differ from those in its lock; empty if they do not.
 *
 * @example
 * ```ts
 * import { compareSkills, readSkills } from "@agentprint/skills";
 *
 * const locked = { folders: [], instructions: [{ path: "AGENTS.md", digest: "0".repeat(64) }] };
 * for (const { rule, place } of compareSkills(locked, await readSkills("."))) console.log(rule, place.subject);
 * ```
 */
export function compareSkills(locked: LockedSkills, found: LockedSkills): SkillFinding[] {
  const findings: SkillFinding[] = [];
  for (const [path, before, after] of byPath(locked.instructions, found.instructions)) {
    if (after === undefined)
      findings.push(at(path, "skills/instructions-removed", "the file is gone", { before: path }));
    else if (before === undefined) {
      findings.push(at(path, "skills/instructions-added", "the file is not in the lock", { after: path }));
    } else if (before.digest !== after.digest) {
      findings.push(at(path, "skills/instructions-changed", "the text changed", pair(before.digest, after.digest)));
    }
  }
  for (const [path, before, after] of byPath(locked.folders, found.folders)) {
    if (before && after) findings.push(...compareSkill(before, after));
    else if (before)
      findings.push(at(path, "skills/skill-removed", `the skill ${before.name} is gone`, { before: path }));
    else findings.push(at(path, "skills/skill-added", `the skill ${after?.name} is not in the lock`, { after: path }));
  }
  return findings;
}

function compareSkill(before: LockedSkill, after: LockedSkill): SkillFinding[] {
  const { path } = after;
  const findings = [...comparePermissions(before, after)];
  if (before.text !== after.text) {
    const changed = at(path, "skills/instructions-changed", "SKILL.md changed", pair(before.text, after.text));
    findings.push(changed);
  }
  for (const script of unionOf(Object.keys(before.scripts), Object.keys(after.scripts))) {
    const [old, now] = [ownDigest(before.scripts, script), ownDigest(after.scripts, script)];
    if (old === now) continue;
    if (old === undefined)
      findings.push(at(path, "skills/script-added", `${script} is not in the lock`, { after: script }));
    else if (now === undefined)
      findings.push(at(path, "skills/script-removed", `${script} is gone`, { before: script }));
    else findings.push(at(path, "skills/script-changed", `${script} changed`, pair(old, now)));
  }
  if (before.rest !== after.rest) {
    const message = "files next to SKILL.md and the scripts differ";
    findings.push(at(path, "skills/files-changed", message, pair(before.rest, after.rest)));
  }
  return findings;
}

function comparePermissions(before: LockedSkill, after: LockedSkill): SkillFinding[] {
  const { path } = after;
  const old = before.allowedTools;
  const now = after.allowedTools;
  if (now === undefined) {
    if (old === undefined) return [];
    return [at(path, "skills/permissions-unread", "the allowed tools cannot be read", { before: [...old] })];
  }
  const more = now.filter((tool) => !old?.includes(tool));
  const less = (old ?? []).filter((tool) => !now.includes(tool));
  const values = { ...(old && { before: [...old] }), after: [...now] };
  return [
    ...(more.length > 0 ? [at(path, "skills/permissions-widened", `the skill allows ${more.join(", ")}`, values)] : []),
    ...(less.length > 0
      ? [at(path, "skills/permissions-narrowed", `the skill no longer allows ${less.join(", ")}`, values)]
      : []),
  ];
}

function at(
  subject: string,
  rule: SkillRuleId,
  message: string,
  values: { readonly before?: JsonValue; readonly after?: JsonValue },
): SkillFinding {
  return { ...byRule(rule, message), place: { subject }, ...values };
}

function pair(before: string, after: string): { readonly before: string; readonly after: string } {
  return { before, after };
}

function ownDigest(scripts: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(scripts, name) ? scripts[name] : undefined;
}

function unionOf(a: readonly string[], b: readonly string[]): string[] {
  return [...new Set([...a, ...b])].sort(compareCodeUnits);
}

/** Returns the items of both lists by path, in code-unit order. */
function byPath<Item extends { readonly path: string }>(
  before: readonly Item[],
  after: readonly Item[],
): (readonly [path: string, before: Item | undefined, after: Item | undefined])[] {
  const [old, now] = [before, after].map((items) => new Map(items.map((item) => [item.path, item])));
  return unionOf([...(old?.keys() ?? [])], [...(now?.keys() ?? [])]).map((path) => [
    path,
    old?.get(path),
    now?.get(path),
  ]);
}
