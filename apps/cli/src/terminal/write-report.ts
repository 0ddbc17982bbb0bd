import {
  cutFindings,
  EXIT,
  type ExitCode,
  FORMATS,
  type Paint,
  type RenderOptions,
  type Report,
  type ReportFormat,
  renderReport,
} from "@agentprint/report";
import { type Command, Option } from "commander";
import type { Context, Output } from "../context.ts";
import { CliError } from "../errors.ts";
import { replaceFile } from "../replace-file.ts";
import { loadCompareWords } from "./load-compare-words.ts";
import { columnsOf, wrapLines } from "./wrap-lines.ts";

export interface ReportOptions {
  readonly format: ReportFormat;
  readonly output?: string;
  readonly full: boolean;
  /** Whether a table of the servers takes the place of the findings. Default `false`. */
  readonly summary?: boolean;
  /** Whether the text on a terminal or in a log is kept to two screens if it can be. Default `false`. */
  readonly brief?: boolean;
}

/** Adds `--format`, `--output` and `--full` to a command that ends in a report. */
export function addReportOptions(command: Command): Command {
  return command
    .addOption(new Option("--format <format>", "format of the report").choices(FORMATS).default("text"))
    .option("-o, --output <file>", "write the report to a file instead of standard output")
    .option("--full", "show each change to its end, however long it is, as a file (-o) has it", false);
}

/** Adds `--summary` to a command that reports on servers, whose text is kept short. */
export function addSummaryOption(command: Command): Command {
  return command
    .option("--summary", "a table of the servers in place of the findings, as text or markdown", false)
    .setOptionValue("brief", true);
}

/** Whether a reader sees the report and the printed errors in one place: an error then leaves out what the report says. */
export function isReadAsText({ format, output }: ReportOptions): boolean {
  return format === "text" && output === undefined;
}

/** Whether a report, as {@link writeReport} writes it, leaves out a part of a change of a server or of its items. */
export async function isCutShort(report: Report, server: string, options: ReportOptions): Promise<boolean> {
  const cut = cutFindings(report, options.format, { ...extentOf(options), ...(await loadCompareWords(report)) });
  return cut.some(({ place: { subject } }) => subject === server || subject.startsWith(`${server} › `));
}

function extentOf({ output, full, summary = false, brief = false }: ReportOptions): RenderOptions {
  return { full: full || output !== undefined, summary, brief };
}

/**
 * Writes a report to the output and in the format of the options; returns the exit code of its outcome.
 *
 * @throws {@link CliError} `usage` where a summary is asked for in a format that has none
 */
export async function writeReport(context: Context, report: Report, options: ReportOptions): Promise<ExitCode> {
  const { format, output, summary } = options;
  if (summary && format !== "text" && format !== "markdown") {
    throw new CliError("usage", `${format} has no summary`, {
      where: "--summary",
      expected: "--format text or markdown",
    });
  }
  const { hidden, stdout } = context;
  const shown = hidden.replaceIn(report);
  const render: RenderOptions = {
    ...extentOf(options),
    ...(await loadCompareWords(shown)),
    ...(summary && { widthOf: (await import("string-width")).default }),
  };
  if (output !== undefined) {
    await replaceFile(context, output, renderReport(shown, format, render));
  } else {
    const text = renderReport(shown, format, { ...render, paint: reportPaint(context, stdout) });
    hidden.writeReplaced(stdout, format === "text" ? await wrapLines(text, columnsOf(context, stdout)) : text);
  }
  return EXIT[report.outcome];
}

/** The colours of a report on an output. */
export function reportPaint(context: Context, output: Output): Paint {
  const { bold, cyan, dim, green, red, yellow } = context.colorsOf(output);
  return { error: red, warning: yellow, note: cyan, same: green, subject: bold, before: red, after: green, dim };
}
