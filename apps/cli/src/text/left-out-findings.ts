import type { Finding } from "@agentprint/findings";
import { TREE_RULES, type TreeRuleId } from "../text/tree-rules.ts";
import type { LeftOut } from "../text/walk-tree.ts";

/** The maximum number of paths that a message shows. */
const MAX_SHOWN = 5;

/**
 * Returns one finding for each .gitignore that leaves files out of a tree, and for each `.git`.
 *
 * A check can trust a .gitignore that is hashed, because a change to it is found. It cannot detect unhashed files that
 * a .gitignore hides, such as one that names itself, nor the contents of a `.git` below the root.
 *
 * @param hashed The paths that are hashed
 */
export function leftOutFindings(
  leftOut: readonly LeftOut[],
  hashed: ReadonlyMap<string, unknown>,
  isCheck: boolean,
): Finding[] {
  const groups = new Map<string, LeftOut[]>();
  for (const each of leftOut) {
    const subject = each.by ?? each.path;
    const group = groups.get(subject);
    if (group === undefined) groups.set(subject, [each]);
    else group.push(each);
  }
  return [...groups].map(([subject, group]): Finding => {
    const isGit = group[0]?.by === undefined;
    const isTrusted = isGit ? !subject.replace(/\/$/, "").includes("/") : hashed.has(subject);
    const message = isGit ? "is left out" : `leaves out ${list(group.map(({ path }) => path))}`;
    if (!isCheck || isTrusted) return treeFinding("text/left-out", message, subject);
    const unseen = `${message}, and no hashed file shows it`;
    return { ...treeFinding("text/left-out-unseen", unseen, subject), couldNotTell: true };
  });
}

/** Returns a finding about a file or a folder of a tree. */
export function treeFinding(rule: TreeRuleId, message: string, subject: string): Finding {
  return { rule, level: TREE_RULES[rule].level, message, place: { subject } };
}

function list(paths: readonly string[]): string {
  const more = paths.length - MAX_SHOWN;
  return paths.slice(0, MAX_SHOWN).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
