import type { Report } from "@agentprint/findings";
import type { DriftReport, LockFile } from "@agentprint/mcp-lock";
import { inFolderOf } from "../compare-configs/project-folder.ts";
import { PERMISSION_RULES } from "../rules/permission-rules.ts";
import type { Context } from "../run/context.ts";
import { printNotices } from "../terminal/notices.ts";
import { comparePermissions, type ToolsChange, toolsChangeOf } from "./compare-permissions.ts";

/**
 * The report on servers with what their changes do to the lists of tools in the project's files. The files are read only
 * where tools were added, removed or renamed.
 */
export async function withPermissions(
  context: Context,
  report: Report,
  drift: DriftReport,
  { lock, file }: { readonly lock: LockFile; readonly file: string },
): Promise<Report> {
  const changes = drift.servers.flatMap((server): ToolsChange[] => {
    const names = (lock.sources ?? []).filter((source) => source.server === server.server).map(({ entry }) => entry);
    const change = toolsChangeOf(server, names);
    return change === undefined ? [] : [change];
  });
  if (changes.length === 0) return report;
  // The readers of all formats take longer to load than a whole check without them.
  const { readLists } = await import("./read-lists.ts");
  const { entries, problems } = await readLists(inFolderOf(context, file));
  printNotices(
    context,
    problems.map(({ message }) => `whether a change affects a list of tools is unknown: ${message}`),
  );
  const findings = changes.flatMap((change) => comparePermissions(entries, change));
  if (findings.length === 0) return report;
  return {
    ...report,
    findings: [...report.findings, ...findings],
    rules: { ...report.rules, ...PERMISSION_RULES },
    checked: [...new Set([...report.checked, ...findings.map(({ place }) => place.subject)])],
  };
}
