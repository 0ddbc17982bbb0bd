import { FORMATS, type Paint, type Report, type ReportFormat, renderReport } from "@agentprint/report";
import { type Command, Option } from "commander";
import { replaceFile } from "../replace-file.ts";
import { colorsFor } from "./color.ts";
import { withoutValuesIn, writeReplaced } from "./hidden-values.ts";

export interface ReportOptions {
  readonly format: ReportFormat;
  readonly output?: string;
  readonly full: boolean;
}

/** Adds `--format`, `--output` and `--full` to a command that ends in a report. */
export function addReportOptions(command: Command): Command {
  return command
    .addOption(new Option("--format <format>", "how to write the report").choices(FORMATS).default("text"))
    .option("-o, --output <file>", "write the report to a file instead of standard output")
    .option("--full", "show findings of any length to their end, as a file (-o) has them", false);
}

/** Whether people read the report where errors are printed, too: what it says is not said again there. */
export function isReadAsText({ format, output }: ReportOptions): boolean {
  return format === "text" && output === undefined;
}

/** Writes a report where and how the options say. */
export async function writeReport(report: Report, options: ReportOptions): Promise<void> {
  const { format, output } = options;
  const shown = withoutValuesIn(report);
  if (output !== undefined) {
    await replaceFile(output, renderReport(shown, format, { full: true }));
    return;
  }
  const { stdout } = process;
  writeReplaced(stdout, renderReport(shown, format, { full: options.full, paint: reportPaint(stdout) }));
}

/** The colours of a report on a stream. */
export function reportPaint(stream: NodeJS.WriteStream): Paint {
  const { bold, cyan, dim, green, red, yellow } = colorsFor(stream);
  return { error: red, warning: yellow, note: cyan, same: green, subject: bold, before: red, after: green, dim };
}
