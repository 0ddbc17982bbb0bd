import { FORMATS, type ReportFormat } from "@agentprint/report/formats";
import { type Command, Option } from "commander";

/** How a command writes its report. */
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
