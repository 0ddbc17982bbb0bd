import { canonicalize } from "@agentprint/canonical-json";
import type { Finding } from "@agentprint/findings";

/** Findings with the same change for several subjects of one server; their notes can differ. */
export type FindingGroup = readonly [Finding, ...Finding[]];

/**
 * Groups identical changes; each group takes the position of its first finding.
 *
 * @example
 * ```ts
 * import type { Finding } from "@agentprint/findings";
 * import { groupFindings } from "@agentprint/report";
 *
 * const added = (subject: string): Finding => ({ rule: "mcp/item-added", level: "error", message: "tool added", place: { subject } });
 * groupFindings([added("read"), added("write")]).length; // 1
 * ```
 */
export function groupFindings(findings: readonly Finding[]): FindingGroup[] {
  const groups = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    const { rule, level, message, before, after, couldNotTell, place } = finding;
    const [pointer, server] = [place.pointer ?? null, place.server ?? null];
    const sides = { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
    const key = canonicalize([server, rule, level, message, pointer, sides, couldNotTell === true], {
      profile: "ecmascript",
    });
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return [...groups.values()];
}
