import { cutFindings, escapeText, type Report } from "@agentprint/report";
import type { Context } from "../context.ts";
import { colorsFor } from "./color.ts";
import type { ReportOptions } from "./write-report.ts";

/** Whether a report, as it is written, leaves out a part of what was found about a server and its items. */
export function isCutShort(report: Report, server: string, { format, output, full }: ReportOptions): boolean {
  const cut = cutFindings(report, format, { full: full || output !== undefined });
  return cut.some(({ place: { subject } }) => subject === server || subject.startsWith(`${server} › `));
}

/**
 * What a report of a server that drifted ends with: the command line that approves what was found. What was not shown to
 * its end cannot have been reviewed, so that the line then says how to see it.
 */
export function offerApproval(
  context: Context,
  report: Report,
  server: string,
  approve: string,
  options: ReportOptions,
): string {
  const { dim, yellow } = colorsFor(context, context.stdout);
  if (!isCutShort(report, server, options)) return `${dim(`to take what was found, after review: ${approve}`)}\n`;
  const name = escapeText(server);
  return `${yellow(`${name} cannot be approved from this report, which does not show all that changed: run it with --full`)}\n`;
}
