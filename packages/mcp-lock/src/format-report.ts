import { type RenderOptions, type ReportFormat, renderReport } from "@agentprint/report";
import type { DriftReport } from "./drift.ts";
import { type DriftToReportOptions, driftToReport } from "./drift-to-report.ts";

/**
 * Writes a drift report as text, JSON, Markdown, SARIF, JUnit XML or GitHub annotations.
 *
 * @example
 * ```ts
 * import { checkLock, formatReport } from "@agentprint/mcp-lock";
 *
 * process.stdout.write(formatReport(checkLock(lock, servers), "text"));
 * ```
 */
export function formatReport(
  drift: DriftReport,
  format: ReportFormat,
  options: RenderOptions & DriftToReportOptions = {},
): string {
  return renderReport(driftToReport(drift, options), format, options);
}
