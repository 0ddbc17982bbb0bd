import {
  cutFindings,
  EXIT,
  type ExitCode,
  FORMATS,
  type Paint,
  type Report,
  type ReportFormat,
  renderReport,
} from "@agentprint/report";
import { type Command, Option } from "commander";
import type { Context, Output } from "../context.ts";
import { replaceFile } from "../replace-file.ts";

export interface ReportOptions {
  readonly format: ReportFormat;
  readonly output?: string;
  readonly full: boolean;
}

/** Adds `--format`, `--output` and `--full` to a command that ends in a report. */
export function addReportOptions(command: Command): Command {
  return command
    .addOption(new Option("--format <format>", "format of the report").choices(FORMATS).default("text"))
    .option("-o, --output <file>", "write the report to a file instead of standard output")
    .option("--full", "show each change to its end, however long it is, as a file (-o) has it", false);
}

/** Whether a reader sees the report and the printed errors in one place: an error then leaves out what the report says. */
export function isReadAsText({ format, output }: ReportOptions): boolean {
  return format === "text" && output === undefined;
}

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
