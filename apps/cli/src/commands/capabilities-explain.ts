import { EXIT, type ExitCode, outcomeOf } from "@agentprint/findings";
import { escapeText } from "@agentprint/report";
import { type Command, Option } from "commander";
import { compareTurns } from "../capabilities/compare-turns.ts";
import { readTurn } from "../capabilities/read-turn.ts";
import { turnsToReport } from "../capabilities/turns-report.ts";
import { formatJson } from "../files/format-json.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";

export const examples: Examples = [
  ["agentprint capabilities explain monday.json tuesday.json", "one sentence, and one for each difference"],
  ["agentprint capabilities explain monday.json tuesday.json --format json", "the same as data"],
];

export function define(command: Command): void {
  command
    .argument("<before>", "capability link or snapshot, a JSON file, or - for standard input")
    .argument("<after>", "the other link or snapshot")
    .addOption(new Option("--format <format>", "format of the output").choices(["text", "json"]).default("text"));
}

export async function run(
  context: Context,
  before: string,
  after: string,
  { format }: { readonly format: "text" | "json" },
): Promise<ExitCode> {
  const turns = [await readTurn(context, before), await readTurn(context, after)] as const;
  const comparison = compareTurns(...turns);
  const { differs: _, ...explained } = comparison;
  const outcome = outcomeOf(turnsToReport(...turns, comparison));
  const words = [explained.summary, ...explained.details.map((detail) => `- ${detail}`)].map(escapeText).join("\n");
  context.stdout.write(format === "json" ? formatJson({ ...explained, outcome }, 2) : `${words}\n`);
  return EXIT[outcome];
}
