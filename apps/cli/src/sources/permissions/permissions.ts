import type { Finding } from "@agentprint/findings";
import type { ServerDrift } from "@agentprint/mcp-lock";
import { inFolderOf } from "../../compare-configs/project-folder.ts";
import { PERMISSION_RULES, type PermissionRuleId } from "../../rules/check-rules.ts";
import { printNotices } from "../../terminal/notices.ts";
import type { Source } from "../source.ts";
import type { PermissionEntry } from "./list-table.ts";

/**
 * The lists of tools in the project's files, whose entries a changed server may void, widen or leave at an old name.
 * The lists are read only if tools were added, removed or renamed.
 */
export const PERMISSIONS: Source = {
  needed: ({ scope }) => scope !== "states",
  findings: async ({ context, file, lock }, { drift }) => {
    const changes = drift.servers.flatMap((server): ToolsChange[] => {
      const names = (lock.sources ?? []).filter((source) => source.server === server.server).map(({ entry }) => entry);
      const change = toolsChangeOf(server, names);
      return change === undefined ? [] : [change];
    });
    if (changes.length === 0) return undefined;
    // Loading the readers of all formats takes longer than a complete check without them.
    const { readLists } = await import("./read-lists.ts");
    const { entries, problems } = await readLists(inFolderOf(context, file));
    printNotices(
      context,
      problems.map(({ message }) => `whether a change affects a list of tools is unknown: ${message}`),
    );
    const findings = changes.flatMap((change) => comparePermissions(entries, change));
    return findings.length === 0 ? undefined : { last: findings, rules: PERMISSION_RULES };
  },
};

/** A change to the tools of a server, and the names that clients have for the server. */
interface ToolsChange {
  readonly names: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The new names of tools by their previous names. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** Returns the change to a server's tools; `undefined` if the same names are offered as before. */
function toolsChangeOf({ server, drifts, checked }: ServerDrift, names: readonly string[]): ToolsChange | undefined {
  const [added, removed, renamed] = [new Set<string>(), new Set<string>(), new Map<string, string>()];
  for (const drift of drifts) {
    if (drift.type === "item-added" && drift.kind === "tool") added.add(drift.name);
    if (drift.type === "item-removed" && drift.kind === "tool") removed.add(drift.name);
    if (drift.type !== "tool-renamed") continue;
    added.add(drift.name);
    removed.add(drift.previousName);
    renamed.set(drift.previousName, drift.name);
  }
  if (added.size + removed.size === 0) return undefined;
  const all = [...new Set([...checked.tool, ...added, ...removed])];
  return {
    names: [...new Set([server, ...names])],
    before: all.filter((name) => !added.has(name)),
    after: all.filter((name) => !removed.has(name)),
    renamed,
  };
}

/**
 * Returns a finding for each entry that has no effect after a change, that no longer covers a renamed tool, or that
 * covers a new one.
 */
function comparePermissions(entries: readonly PermissionEntry[], change: ToolsChange): Finding[] {
  return entries.flatMap((entry) => {
    const isCovered = (tool: string): boolean => change.names.some((server) => entry.covers(server, tool));
    const [before, after] = [change.before.filter(isCovered), change.after.filter(isCovered)];
    const lost = before.flatMap((tool): [string, string][] => {
      const now = change.renamed.get(tool);
      return now === undefined || isCovered(now) ? [] : [[tool, now]];
    });
    const gained = after.filter((tool) => !change.before.includes(tool));
    const isRenamed = (tool: string): boolean =>
      [...change.renamed].some(([old, now]) => now === tool && isCovered(old));
    const isNew = gained.filter((tool) => !isRenamed(tool));
    return [
      ...(lost.length > 0 ? [renamedFinding(entry, lost)] : []),
      ...(before.length > 0 && after.length === 0 && lost.length < before.length
        ? [
            findingOn(
              entry,
              "mcp/permission-ended",
              "warning",
              `covers no tool any more; it covered ${before.join(", ")}`,
            ),
          ]
        : []),
      ...(entry.effect === "allow" && isNew.length > 0
        ? [findingOn(entry, "mcp/permission-widened", "warning", `also covers ${isNew.join(", ")} now`)]
        : []),
    ];
  });
}

function renamedFinding(entry: PermissionEntry, lost: readonly (readonly [string, string])[]): Finding {
  const words = lost.map(([old, now]) => `${old}, which the server now calls ${now}`).join("; ");
  const isOpen = entry.effect === "restrict";
  const message = isOpen ? `restricts ${words}, but not under that name` : `allows ${words}`;
  return findingOn(entry, "mcp/permission-renamed", isOpen ? "error" : "warning", message);
}

function findingOn(
  { file, line, written }: PermissionEntry,
  rule: PermissionRuleId,
  level: "error" | "warning",
  message: string,
): Finding {
  return { rule, level, place: { subject: `${written} in ${file}`, location: { file, line } }, message };
}
