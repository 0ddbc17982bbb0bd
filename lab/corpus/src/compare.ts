import { canonicalize } from "../../../packages/canonical-json/src/index.ts";
import { checkLock, createLock, type DriftFinding, driftFindings } from "../../../packages/mcp-lock/src/index.ts";
import type { Answers, Edited, Target } from "./edits/edit.ts";

/** Checks answers against a lock of earlier answers, and returns the findings. */
export function findingsOf(before: Answers, after: Answers): DriftFinding[] {
  return driftFindings(checkLock(createLock(before), after));
}

/** Returns the findings that an edit causes, which name its target and place and are absent without the edit. */
export function findingsOfEdit(
  { targets, pointer }: Omit<Edited, "answers">,
  edited: readonly DriftFinding[],
  clean: readonly DriftFinding[],
): DriftFinding[] {
  const known = new Set(clean.map((finding) => canonicalize(finding)));
  return edited.filter(
    (finding) =>
      targets.some((target) => isAbout(finding, target)) &&
      isOnWay(finding.place.pointer ?? "", pointer) &&
      !known.has(canonicalize(finding)),
  );
}

/**
 * Returns whether a finding is about a target: the finding about a renamed tool names its new name as well, and a
 * finding about integer bounds lists its tools.
 */
export function isAbout({ rule, place, before, after }: DriftFinding, { server, kind, name }: Target): boolean {
  if (kind === "server") return place.subject === server;
  const isOfTools = rule === "mcp/tool-contract-changed" && kind === "tool" && place.subject === server;
  if (isOfTools) return Array.isArray(after) && after.includes(name);
  const isRenamed = rule === "mcp/tool-renamed" && kind === "tool" && place.server === server && before === name;
  return isRenamed || place.subject === `${server} › ${kind === "tool" ? "" : `${kind} `}${name}`;
}

/** Returns whether one of two pointers is equal to the other or points into the other's value. */
function isOnWay(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}
