import { FORMATS, type ReportFormat } from "@agentprint/report/formats";
import { type Command, Option } from "commander";

/** How a command writes its report. */
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
