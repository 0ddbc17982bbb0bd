import { EXIT, type ExitCode } from "@agentprint/report";
import { type Command, Option } from "commander";
import type { Context } from "../context.ts";
import { RULES } from "../rules/rule-list.ts";
import { rulesPage } from "../rules/rules-page.ts";
import type { Examples } from "../terminal/examples.ts";

const FORMATS = ["text", "json", "markdown"] as const;

export const examples: Examples = [
  ["agentprint rules", "every rule in one line"],
  ["agentprint explain manifest/tool-removed", "one rule and what to do about it"],
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
  if (format === "json") return `${JSON.stringify(Object.fromEntries(rules.map(({ id, ...rule }) => [id, rule])))}\n`;
  if (format === "markdown") return rulesPage(rules);
  const { bold } = context.colorsOf(context.stdout);
  return rules.map(({ id, summary }) => `${bold(id)}\n  ${summary}\n`).join("");
}
