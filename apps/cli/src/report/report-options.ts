import { FORMATS, type ReportFormat } from "@agentprint/report/formats";
import { type Command, InvalidArgumentError, Option } from "commander";

/** An additional file with the report in another format. */
interface FurtherReport {
  readonly format: ReportFormat;
  readonly file: string;
}

/** The output options of a report. */
export interface ReportOptions {
  readonly format: ReportFormat;
  readonly output?: string;
  readonly full: boolean;
  /** Additional files with the same report. Default: none. */
  readonly also?: readonly FurtherReport[];
  /** Whether a table of the servers replaces the findings. Default `false`. */
  readonly summary?: boolean;
  /**
   * Whether the text begins with a short part that contains every change, before parts of it are shortened below.
   * Default `false`.
   */
  readonly brief?: boolean;
}

/** Adds `--format`, `--output` and `--full` to a command that produces a report. */
export function addReportOptions(command: Command): Command {
  return command
    .addOption(new Option("--format <format>", "format of the report").choices(FORMATS).default("text"))
    .option("-o, --output <file>", "write the report to a file instead of standard output")
    .option("--full", "show each change in full, however long it is, as in a file (-o)", false);
}

/** Adds `--also` to a command whose report would otherwise need a second visit, which could see a different state. */
export function addAlsoOption(command: Command): Command {
  return command.option(
    "--also <format=file>",
    "also write the report in another format to a file; may be repeated",
    furtherReport,
  );
}

function furtherReport(text: string, previous: readonly FurtherReport[] = []): FurtherReport[] {
  const format = FORMATS.find((each) => text.startsWith(`${each}=`));
  const file = text.slice(text.indexOf("=") + 1);
  if (format !== undefined && file !== "") return [...previous, { format, file }];
  throw new InvalidArgumentError(`expected <format>=<file>, where the format is one of ${FORMATS.join(", ")}.`);
}

/** Adds the output options to a command that reports on servers, whose text begins with a short table. */
export function addServerReportOptions(command: Command): Command {
  return addReportOptions(command).setOptionValue("brief", true);
}

/** Adds `--summary` to a command that reports on servers. */
export function addSummaryOption(command: Command): Command {
  return command.option("--summary", "a table of servers instead of the findings, as text or markdown", false);
}

/**
 * Returns whether a reader sees the report and the printed errors in the same output, so that an error does not repeat
 * the report.
 */
export function isReadAsText({ format, output }: ReportOptions): boolean {
  return format === "text" && output === undefined;
}

/** Adds the option that names the configuration of agentprint. */
export function addPolicyOption(command: Command): Command {
  return command.option(
    "--config <file>",
    "the configuration of agentprint, which holds the policy; by default agentprint.config.json, if it exists",
  );
}
