import { diffManifests, judgeSchemaChanges } from "@agentprint/manifest";
import type { ExitCode } from "@agentprint/report";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { STDIN_NAME } from "../json/read-input.ts";
import { requireManifest } from "../manifest/read-manifest.ts";
import { diffReport } from "../report/manifest-diff-report.ts";
import { applyRuleConfig, readRuleConfig } from "../rules/rule-config.ts";
import type { Examples } from "../terminal/examples.ts";
import { printNotices } from "../terminal/notices.ts";
import { addReportOptions, type ReportOptions } from "../terminal/report-options.ts";
import { writeReport } from "../terminal/write-report.ts";

interface ManifestDiffOptions extends ReportOptions {
  readonly config?: string;
}

export const examples: Examples = [
  ["agentprint manifest diff published.json manifest.json", "breaking, unclassified and non-breaking changes"],
  [
    "git show HEAD:manifest.json | agentprint manifest diff - manifest.json",
    "the last commit against the working copy",
  ],
];

export function define(command: Command): void {
  command
    .argument("<before>", "the manifest that is published, or - for standard input")
    .argument("<after>", "the next manifest")
    .option("--config <file>", "levels of rules and ignored findings; by default agentprint.config.json, if it exists");
  addReportOptions(command);
}

export async function run(
  context: Context,
  beforeFile: string,
  afterFile: string,
  options: ManifestDiffOptions,
): Promise<ExitCode> {
  const config = await readRuleConfig(context, options.config);
  const [before, after] = [await requireManifest(context, beforeFile), await requireManifest(context, afterFile)];
  const sides = [
    { file: beforeFile === "-" ? STDIN_NAME : beforeFile, text: before.text },
    { file: afterFile, text: after.text },
  ] as const;
  const report = diffReport(judgeSchemaChanges(diffManifests(before.manifest, after.manifest)), ...sides);
  printNotices(context, config.notices);
  return writeReport(context, applyRuleConfig(report, config, "warning"), options);
}
