import type { SpecCoverage } from "@agentprint/drover";
import { exitCode } from "@agentprint/report";
import type { Command } from "commander";
import { specDiffReport } from "../report/spec-report.ts";
import { compareSpecs, coverageOption } from "../spec/read-spec.ts";
import { addExamples } from "../terminal/examples.ts";
import { addReportOptions, type ReportOptions, writeReport } from "../terminal/write-report.ts";

export function registerSpecDiff(spec: Command): void {
  const command = spec
    .command("diff")
    .description("Show the fields, values and lines in which two specs differ; exit 1 if they do, 2 if that is unclear")
    .argument("<recorded>", "a spec or its fingerprint as JSON, or - for standard input")
    .argument("<current>", "a spec as JSON")
    .addOption(coverageOption())
    .action(async (recorded: string, current: string, options: ReportOptions & { coverage: SpecCoverage }) => {
      const diff = await compareSpecs(recorded, current, options.coverage);
      const report = specDiffReport("agentprint spec diff", current, diff);
      await writeReport(report, options);
      process.exitCode = exitCode(report);
    });
  addReportOptions(command);
  addExamples(command, [
    ["agentprint spec diff recorded.json writer.json", "every value that changed, by JSON Pointer"],
    ["agentprint spec diff writer.fingerprint.json writer.json", "the fields that changed"],
    ["git show HEAD:writer.json | agentprint spec diff - writer.json --format markdown", "for a pull request"],
  ]);
}
