import { EXIT, type ExitCode } from "@agentprint/report";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import { ISSUE_RULES } from "../manifest/issue-rules.ts";
import { ALL_RULES, CONFIGURABLE } from "../rules/all-rules.ts";
import { colorsFor } from "../terminal/color.ts";
import { addExamples } from "../terminal/examples.ts";

export function define(command: Command): void {
  command.argument("<rule>", "as a report names it");
  addExamples(command, [
    ["agentprint explain tool-prose-changed", "a rule of check"],
    ["agentprint explain UNKNOWN_SCOPE", "a rule of manifest validate"],
  ]);
}

export function run(context: Context, id: string): ExitCode {
  const rule = ALL_RULES.get(id);
  if (!rule) {
    throw new CliError("usage", `there is no rule ${id}`, { fix: "see all of them with agentprint rules" });
  }
  const { bold, dim } = colorsFor(context, context.stdout);
  context.stdout.write(`${bold(id)} (${rule.command})\n${rule.summary}\n${rule.help}\n${dim(levelOf(id))}\n`);
  return EXIT.same;
}

function levelOf(id: string): string {
  if (CONFIGURABLE.has(id)) return `{"rules": {"${id}": "error|warning|note|off"}} in agentprint.config.json`;
  return Object.hasOwn(ISSUE_RULES, id) ? "always an error: the manifest is refused everywhere" : "its level is fixed";
}
