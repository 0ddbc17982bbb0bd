import { escapeText, exitCode } from "@agentprint/report";
import { type Command, Option } from "commander";
import { compareTurns } from "../capabilities/compare-turns.ts";
import { readTurn } from "../capabilities/read-turn.ts";
import { formatJson } from "../json/format-json.ts";
import { turnsToReport } from "../report/turns-report.ts";
import { addExamples } from "../terminal/examples.ts";
import { addReportOptions, type ReportOptions, writeReport } from "../terminal/write-report.ts";

export function registerCapabilities(program: Command): void {
  const group = program
    .command("capabilities")
    .description("Compare what an agent was able to do in two turns (capability links or snapshots)");

  const diff = group
    .command("diff")
    .description("Report every difference between two turns")
    .argument("<before>", "capability link or snapshot, a JSON file, or - for standard input")
    .argument("<after>", "the other one")
    .action(async (before: string, after: string, options: ReportOptions) => {
      const report = turnsToReport(await readTurn(before), await readTurn(after));
      await writeReport(report, options);
      process.exitCode = exitCode(report);
    });
  addReportOptions(diff);
  addExamples(diff, [
    ["agentprint capabilities diff monday.json tuesday.json", "exit 1 if anything differs"],
    ["agentprint capabilities diff monday.json tuesday.json --format markdown", "for a pull request"],
  ]);

  const explain = group
    .command("explain")
    .description("Say in words why two turns differ")
    .argument("<before>", "capability link or snapshot, a JSON file, or - for standard input")
    .argument("<after>", "the other one")
    .addOption(new Option("--format <format>", "how to say it").choices(["text", "json"]).default("text"))
    .action(async (before: string, after: string, { format }: { format: "text" | "json" }) => {
      const [first, second] = [await readTurn(before), await readTurn(after)];
      const explained = compareTurns(first, second);
      const words = [explained.summary, ...explained.details.map((detail) => `- ${detail}`)].map(escapeText).join("\n");
      process.stdout.write(format === "json" ? formatJson(explained, 2) : `${words}\n`);
      process.exitCode = exitCode(explained);
    });
  addExamples(explain, [
    ["agentprint capabilities explain monday.json tuesday.json", "one sentence, and one for each difference"],
    ["agentprint capabilities explain monday.json tuesday.json --format json", "the same as data"],
  ]);
}
