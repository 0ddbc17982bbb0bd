import type { ExitCode } from "@agentprint/findings";
import type { Command } from "commander";
import { compareTurns } from "../capabilities/compare-turns.ts";
import { readTurn } from "../capabilities/read-turn.ts";
import { turnsToReport } from "../capabilities/turns-report.ts";
import { readPolicy } from "../policy/read-policy.ts";
import { reportByPolicy } from "../policy/report-by-policy.ts";
import { addPolicyOption, addReportOptions, type ReportOptions } from "../report/report-options.ts";
import { writeReport } from "../report/write-report.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";

export const examples: Examples = [
  ["agentprint capabilities diff monday.json tuesday.json", "exit 1 if anything differs"],
  ["agentprint capabilities diff monday.json tuesday.json --format markdown", "for a pull request"],
];

export function define(command: Command): void {
  command
    .argument("<before>", "capability link or snapshot, a JSON file, or - for standard input")
    .argument("<after>", "the other link or snapshot");
  addPolicyOption(command);
  addReportOptions(command);
}

interface CapabilitiesDiffOptions extends ReportOptions {
  readonly config?: string;
}

export async function run(
  context: Context,
  before: string,
  after: string,
  options: CapabilitiesDiffOptions,
): Promise<ExitCode> {
  const policy = await readPolicy(context, options);
  const turns = [await readTurn(context, before), await readTurn(context, after)] as const;
  const report = turnsToReport(...turns, compareTurns(...turns));
  return writeReport(context, reportByPolicy(context, report, policy), options, [after, before]);
}
