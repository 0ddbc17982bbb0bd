import type { ExitCode } from "@agentprint/findings";
import { parseManifest } from "@agentprint/manifest";
import type { Command } from "commander";
import { STDIN_NAME } from "../files/read-input.ts";
import { validationReport } from "../manifest/manifest-validation-report.ts";
import { readManifestText } from "../manifest/read-manifest.ts";
import { addPolicyOption } from "../options/policy-option.ts";
import { readPolicy } from "../policy/read-policy.ts";
import { reportByPolicy } from "../policy/report-by-policy.ts";
import { addReportOptions, type ReportOptions } from "../report/report-options.ts";
import { writeReport } from "../report/write-report.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";

interface ManifestValidateOptions extends ReportOptions {
  readonly config?: string;
}

export const examples: Examples = [
  ["agentprint manifest validate manifest.json", "every problem with line and column"],
  ["agentprint manifest validate manifest.json --format sarif -o manifest.sarif", "for code scanning"],
  ["agentprint explain manifest/UNKNOWN_SCOPE", "what a rule means and how to fix it"],
];

export function define(command: Command): void {
  command.argument("[file]", "the manifest, or - for standard input", "-");
  addPolicyOption(command);
  addReportOptions(command);
}

export async function run(context: Context, file: string, options: ManifestValidateOptions): Promise<ExitCode> {
  const policy = await readPolicy(context, options);
  const parsed = parseManifest(await readManifestText(context, file));
  const report = validationReport(file === "-" ? STDIN_NAME : file, parsed);
  return writeReport(context, reportByPolicy(context, report, policy, { onlyErrors: true }), options, [file]);
}
