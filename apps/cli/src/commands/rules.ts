import { EXIT, type ExitCode } from "@agentprint/findings";
import { type Command, Option } from "commander";
import { presetDecisions, presetsInWords } from "../rules/preset-decisions.ts";
import { RULES } from "../rules/rule-list.ts";
import { rulesPage } from "../rules/rules-page.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";

const FORMATS = ["text", "json", "markdown"] as const;

export const examples: Examples = [
  ["agentprint rules", "every rule, and what each preset decides: for a check, and for a guard"],
  ["agentprint explain manifest/tool_removed", "one rule and what to do about it"],
];

export function define(command: Command): void {
  command.addOption(new Option("--format <format>", "format of the output").choices(FORMATS).default("text"));
}

export function run(context: Context, { format }: { readonly format: (typeof FORMATS)[number] }): ExitCode {
  context.stdout.write(written(context, format));
  return EXIT.same;
}

function written(context: Context, format: (typeof FORMATS)[number]): string {
  const rules = RULES.list();
  if (format === "json") {
    const withDecisions = rules.map(({ id, ...rule }) => [id, { ...rule, presets: presetDecisions({ id, ...rule }) }]);
    return `${JSON.stringify(Object.fromEntries(withDecisions))}\n`;
  }
  if (format === "markdown") return rulesPage(rules);
  const { bold, dim } = context.colorsOf(context.stdout);
  return rules.map((rule) => `${bold(rule.id)}\n  ${rule.summary}\n  ${dim(presetsInWords(rule))}\n`).join("");
}
