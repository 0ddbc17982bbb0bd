import type { ExitCode } from "@agentprint/report";
import type { Command } from "commander";
import { readTurn } from "../capabilities/read-turn.ts";
import type { Context } from "../context.ts";
import { turnsToReport } from "../report/turns-report.ts";
import type { Examples } from "../terminal/examples.ts";
import { addReportOptions, type ReportOptions } from "../terminal/report-options.ts";
import { writeReport } from "../terminal/write-report.ts";

export const examples: Examples = [
  ["agentprint capabilities diff monday.json tuesday.json", "exit 1 if anything differs"],
  ["agentprint capabilities diff monday.json tuesday.json --format markdown", "for a pull request"],
];

export function define(command: Command): void {
  command
    .argument("<before>", "capability link or snapshot, a JSON file, or - for standard input")
    .argument("<after>", "the other link or snapshot");
  addReportOptions(command);
}

export async function run(context: Context, before: string, after: string, options: ReportOptions): Promise<ExitCode> {
  const report = turnsToReport(await readTurn(context, before), await readTurn(context, after));
  return writeReport(context, report, options);
}
