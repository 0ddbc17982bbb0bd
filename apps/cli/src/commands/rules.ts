import { EXIT, type ExitCode } from "@agentprint/report";
import { type Command, Option } from "commander";
import type { Context } from "../context.ts";
import { ALL_RULES } from "../rules/all-rules.ts";
import { colorsFor } from "../terminal/color.ts";
import { addExamples } from "../terminal/examples.ts";

export function define(command: Command): void {
  command.addOption(new Option("--format <format>", "how to print them").choices(["text", "json"]).default("text"));
  addExamples(command, [
    ["agentprint rules", "every rule in one line"],
    ["agentprint explain tool_removed", "one rule and what to do about it"],
  ]);
}

export function run(context: Context, { format }: { readonly format: "text" | "json" }): ExitCode {
  const { stdout } = context;
  if (format === "json") {
    stdout.write(`${JSON.stringify(Object.fromEntries(ALL_RULES))}\n`);
    return EXIT.same;
  }
  const { bold } = colorsFor(context, stdout);
  for (const [id, { summary }] of ALL_RULES) stdout.write(`${bold(id)}\n  ${summary}\n`);
  return EXIT.same;
}
