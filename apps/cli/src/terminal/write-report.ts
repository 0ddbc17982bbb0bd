import { cutFindings, EXIT, type ExitCode, type Paint, type Report, renderReport } from "@agentprint/report";
import type { Context, Output } from "../context.ts";
import { replaceFile } from "../replace-file.ts";
import type { ReportOptions } from "./report-options.ts";

/** Whether a report, as {@link writeReport} writes it, leaves out a part of a change of a server or of its items. */
export function isCutShort(report: Report, server: string, { format, output, full }: ReportOptions): boolean {
  const cut = cutFindings(report, format, { full: full || output !== undefined });
  return cut.some(({ place: { subject } }) => subject === server || subject.startsWith(`${server} › `));
}

/** Writes a report to the output and in the format of the options; returns the exit code of its outcome. */
export async function writeReport(context: Context, report: Report, options: ReportOptions): Promise<ExitCode> {
  const { format, full, output } = options;
  const { hidden, stdout } = context;
  const shown = hidden.replaceIn(report);
  if (output !== undefined) {
    await replaceFile(context, output, renderReport(shown, format, { full: true }));
  } else {
    hidden.writeReplaced(stdout, renderReport(shown, format, { full, paint: reportPaint(context, stdout) }));
  }
  return EXIT[report.outcome];
}

/** The colours of a report on an output. */
export function reportPaint(context: Context, output: Output): Paint {
  const { bold, cyan, dim, green, red, yellow } = context.colorsOf(output);
  return { error: red, warning: yellow, note: cyan, same: green, subject: bold, before: red, after: green, dim };
}
