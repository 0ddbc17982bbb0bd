import { parseManifest } from "@agentprint/manifest";
import { exitCode } from "@agentprint/report";
import type { Command } from "commander";
import { STDIN_NAME } from "../json/read-input.ts";
import { readManifestText } from "../manifest/read-manifest.ts";
import { validationReport } from "../report/manifest-validation-report.ts";
import { applyRuleConfig, readRuleConfig } from "../rules/rule-config.ts";
import { addExamples } from "../terminal/examples.ts";
import { printNotices } from "../terminal/notices.ts";
import { addReportOptions, type ReportOptions, writeReport } from "../terminal/write-report.ts";

export function registerManifestValidate(manifest: Command): void {
  const command = manifest
    .command("validate")
    .description("Report every problem of a manifest with its place; exit 1 if it is refused")
    .argument("[file]", "the manifest, or - for standard input", "-")
    .option("--config <file>", "levels and ignores of rules; agentprint.config.json when it is there")
    .action(async (file: string, options: ReportOptions & { readonly config?: string }) => {
      const config = await readRuleConfig(options.config);
      const parsed = parseManifest(await readManifestText(file));
      const report = applyRuleConfig(validationReport(file === "-" ? STDIN_NAME : file, parsed), config, "error");
      printNotices(config.notices);
      await writeReport(report, options);
      process.exitCode = exitCode(report);
    });
  addReportOptions(command);
  addExamples(command, [
    ["agentprint manifest validate manifest.json", "every problem with line and column"],
    ["agentprint manifest validate manifest.json --format sarif -o manifest.sarif", "for code scanning"],
    ["agentprint explain manifest/unknown-scope", "what a rule means and how to fix it"],
  ]);
}
