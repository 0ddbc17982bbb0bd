import type { ExitCode } from "@agentprint/findings";
import { addCompatibility, diffManifests } from "@agentprint/manifest";
import { diffReport } from "@agentprint/manifest/rules";
import type { Command } from "commander";
import { STDIN_NAME } from "../files/read-input.ts";
import { requireManifest } from "../manifest/read-manifest.ts";
import { readPolicy } from "../policy/read-policy.ts";
import { reportByPolicy } from "../policy/report-by-policy.ts";
import { addPolicyOption, addReportOptions, type ReportOptions } from "../report/report-options.ts";
import { writeReport } from "../report/write-report.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";

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
    .argument("<before>", "the published manifest, or - for standard input")
    .argument("<after>", "the next manifest");
  addPolicyOption(command);
  addReportOptions(command);
}

export async function run(
  context: Context,
  beforeFile: string,
  afterFile: string,
  options: ManifestDiffOptions,
): Promise<ExitCode> {
  const policy = await readPolicy(context, options);
  const [before, after] = [await requireManifest(context, beforeFile), await requireManifest(context, afterFile)];
  const sides = [
    { file: beforeFile === "-" ? STDIN_NAME : beforeFile, text: before.text },
    { file: afterFile, text: after.text },
  ] as const;
  const report = diffReport(addCompatibility(diffManifests(before.manifest, after.manifest)), ...sides);
  return writeReport(context, reportByPolicy(context, report, policy), options, [afterFile, beforeFile]);
}
