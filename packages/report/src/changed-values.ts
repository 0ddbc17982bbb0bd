import { excerptPair, excerptValue } from "./excerpt.ts";
import type { Finding } from "./report.ts";

/** The old and the new value of a finding, ready to print: `-` lines before `+` lines. */
export function changedValues({ before, after }: Finding): { sign: "-" | "+"; text: string }[] {
  if (before !== undefined && after !== undefined) {
    const [old, now] = excerptPair(before, after);
    return [
      { sign: "-", text: old },
      { sign: "+", text: now },
    ];
  }
  if (before !== undefined) return [{ sign: "-", text: excerptValue(before) }];
  if (after !== undefined) return [{ sign: "+", text: excerptValue(after) }];
  return [];
}

/** The findings of each subject together, subjects in the order in which they first appear. */
export function findingsBySubject(findings: readonly Finding[]): Map<string, Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.subject);
    if (group === undefined) groups.set(finding.subject, [finding]);
    else group.push(finding);
  }
  return groups;
}
