import type { SpecCoverage } from "@agentprint/drover";
import type { ExitCode } from "@agentprint/findings";
import type { Command } from "commander";
import { readPolicy } from "../policy/read-policy.ts";
import { reportByPolicy } from "../policy/report-by-policy.ts";
import { addPolicyOption, addReportOptions, type ReportOptions } from "../report/report-options.ts";
import { writeReport } from "../report/write-report.ts";
import type { Context } from "../run/context.ts";
import { compareSpecs, coverageOption } from "../spec/read-spec.ts";
import { specDiffReport } from "../spec/spec-report.ts";
import type { Examples } from "../terminal/examples.ts";

interface SpecDiffOptions extends ReportOptions {
  readonly config?: string;
  readonly coverage: SpecCoverage;
}

export const examples: Examples = [
  ["agentprint spec diff recorded.json writer.json", "every value that changed, by JSON Pointer"],
  ["agentprint spec diff writer.fingerprint.json writer.json", "the fields that changed"],
  ["git show HEAD:writer.json | agentprint spec diff - writer.json --format markdown", "for a pull request"],
];

export function define(command: Command): void {
  command
    .argument("<before>", "the recorded side: a spec or its fingerprint as JSON, or - for standard input")
    .argument("<after>", "a spec as JSON")
    .addOption(coverageOption());
  addPolicyOption(command);
  addReportOptions(command);
}

export async function run(
  context: Context,
  before: string,
  after: string,
  options: SpecDiffOptions,
): Promise<ExitCode> {
  const policy = await readPolicy(context, options);
  const diff = await compareSpecs(context, before, after, options.coverage);
  const report = specDiffReport("agentprint spec diff", after, diff);
  return writeReport(context, reportByPolicy(context, report, policy), options, [after, before]);
}
