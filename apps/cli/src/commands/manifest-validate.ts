import { count, type ExitCode, type Report } from "@agentprint/findings";
import { type ParsedManifest, parseManifest } from "@agentprint/manifest";
import { ISSUE_RULES, validationFindings, WARNING_RULES } from "@agentprint/manifest/rules";
import type { Command } from "commander";
import { STDIN_NAME } from "../files/read-input.ts";
import { readManifestText } from "../manifest/read-manifest.ts";
import { readPolicy } from "../policy/read-policy.ts";
import { reportByPolicy } from "../policy/report-by-policy.ts";
import { addPolicyOption, addReportOptions, type ReportOptions } from "../report/report-options.ts";
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

/** Returns the report on one manifest. */
function validationReport(file: string, parsed: ParsedManifest): Report {
  const findings = validationFindings(file, parsed);
  return {
    command: "agentprint manifest validate",
    title: "agentprint manifest validate",
    summary: parsed.ok ? `valid, ${count(findings.length, "warning")}` : `refused, ${count(findings.length, "issue")}`,
    findings,
    rules: { ...ISSUE_RULES, ...WARNING_RULES },
    checked: [file],
    data: parsed.ok ? { valid: true, warnings: parsed.warnings } : { valid: false, issues: parsed.issues },
  };
}
