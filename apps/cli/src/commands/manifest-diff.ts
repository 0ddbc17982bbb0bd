import { diffManifests, judgeSchemaChanges } from "@agentprint/manifest";
import { exitCode } from "@agentprint/report";
import type { Command } from "commander";
import { STDIN_NAME } from "../json/read-input.ts";
import { requireManifest } from "../manifest/read-manifest.ts";
import { diffReport } from "../report/manifest-diff-report.ts";
import { applyRuleConfig, readRuleConfig } from "../rules/rule-config.ts";
import { addExamples } from "../terminal/examples.ts";
import { printNotices } from "../terminal/notices.ts";
import { addReportOptions, type ReportOptions, writeReport } from "../terminal/write-report.ts";

export function registerManifestDiff(manifest: Command): void {
  const command = manifest
    .command("diff")
    .description("Say what the next manifest breaks; exit 1 if anything is more than non-breaking")
    .argument("<before>", "the manifest that is published, or - for standard input")
    .argument("<after>", "the next manifest")
    .option("--config <file>", "levels and ignores of rules; agentprint.config.json when it is there")
    .action(async (before: string, after: string, options: ReportOptions & { readonly config?: string }) => {
      const config = await readRuleConfig(options.config);
      const [old, next] = [await requireManifest(before), await requireManifest(after)];
      const sides = [
        { file: before === "-" ? STDIN_NAME : before, text: old.text },
        { file: after, text: next.text },
      ] as const;
      const report = applyRuleConfig(
        diffReport(judgeSchemaChanges(diffManifests(old.manifest, next.manifest)), ...sides),
        config,
        "warning",
      );
      printNotices(config.notices);
      await writeReport(report, options);
      process.exitCode = exitCode(report);
    });
  addReportOptions(command);
  addExamples(command, [
    ["agentprint manifest diff published.json manifest.json", "breaking, unclassified and non-breaking changes"],
    [
      "git show HEAD:manifest.json | agentprint manifest diff - manifest.json",
      "the last commit against the working copy",
    ],
  ]);
}
