import { parseManifest } from "@agentprint/manifest";
import type { ExitCode } from "@agentprint/report";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { STDIN_NAME } from "../json/read-input.ts";
import { readManifestText } from "../manifest/read-manifest.ts";
import { validationReport } from "../report/manifest-validation-report.ts";
import { applyRuleConfig, readRuleConfig } from "../rules/rule-config.ts";
import type { Examples } from "../terminal/examples.ts";
import { printNotices } from "../terminal/notices.ts";
import { addReportOptions, type ReportOptions } from "../terminal/report-options.ts";
import { writeReport } from "../terminal/write-report.ts";

interface ManifestValidateOptions extends ReportOptions {
  readonly config?: string;
}

export const examples: Examples = [
  ["agentprint manifest validate manifest.json", "every problem with line and column"],
  ["agentprint manifest validate manifest.json --format sarif -o manifest.sarif", "for code scanning"],
  ["agentprint explain manifest/unknown-scope", "what a rule means and how to fix it"],
];

export function define(command: Command): void {
  command
    .argument("[file]", "the manifest, or - for standard input", "-")
    .option("--config <file>", "levels of rules and ignored findings; by default agentprint.config.json, if it exists");
  addReportOptions(command);
}

export async function run(context: Context, file: string, options: ManifestValidateOptions): Promise<ExitCode> {
  const config = await readRuleConfig(context, options.config);
  const parsed = parseManifest(await readManifestText(context, file));
  const report = validationReport(file === "-" ? STDIN_NAME : file, parsed);
  printNotices(context, config.notices);
  return writeReport(context, applyRuleConfig(report, config, "error"), options);
}
