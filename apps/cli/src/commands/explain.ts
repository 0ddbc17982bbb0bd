import type { JsonValue } from "@agentprint/canonical-json";
import { EXIT, type ExitCode } from "@agentprint/findings";
import { escapeText } from "@agentprint/report";
import type { Command } from "commander";
import { guessRules } from "../rules/guess-rule.ts";
import { presetsInWords } from "../rules/preset-decisions.ts";
import { type ListedRule, RULES } from "../rules/rule-list.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import type { Examples } from "../terminal/examples.ts";

export const examples: Examples = [
  ["agentprint explain mcp/tool-prose-changed", "a rule of check"],
  ["agentprint explain manifest/UNKNOWN_SCOPE", "a rule of manifest validate"],
];

export function define(command: Command): void {
  command.argument("<rule>", "as a report names it; the name alone works if only one domain has such a rule");
}

export function run(context: Context, given: string): ExitCode {
  const rule = RULES.find(given);
  if (!rule) {
    const guesses = guessRules(
      given,
      RULES.list().map(({ id: known }) => known),
    );
    throw new CliError("usage", `there is no rule ${given}`, {
      expected: guesses.length === 0 ? undefined : `perhaps ${guesses.join(", ")}`,
      fix: "see all rules with agentprint rules",
    });
  }
  const { id, command, summary, why, help } = rule;
  const { bold, dim } = context.colorsOf(context.stdout);
  const lines = [
    `${bold(id)} (${command})`,
    summary,
    "",
    `${bold("Why it matters:")} ${why}`,
    `${bold("Example:")} ${exampleOf(rule).join("\n")}`,
    `${bold("What to do:")} ${help}`,
    "",
    dim(levelOf(rule)),
  ];
  context.stdout.write(`${lines.join("\n")}\n`);
  return EXIT.same;
}

function exampleOf({ example: { text, before, after } }: ListedRule): string[] {
  const shown = (label: string, value: JsonValue | undefined) =>
    value === undefined ? [] : [`  ${label} ${escapeText(JSON.stringify(value))}`];
  return [text, ...shown("before:", before), ...shown("after: ", after)];
}

function levelOf(rule: ListedRule): string {
  const { id, level, isConfigurable, fixedBecause } = rule;
  if (fixedBecause !== undefined) return `always an ${level}: ${fixedBecause}`;
  return isConfigurable
    ? `level ${level}; ${presetsInWords(rule)}; {"rules": {"${id}": "error|warning|note|off"}} in agentprint.config.json decides otherwise`
    : `level ${level}; no configuration changes the level`;
}
