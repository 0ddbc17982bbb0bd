import { type Command, Option } from "commander";
import { ALL_RULES } from "../rules/all-rules.ts";
import { colorsFor } from "../terminal/color.ts";
import { addExamples } from "../terminal/examples.ts";

export function registerRules(program: Command): void {
  const command = program
    .command("rules")
    .description("List the rules that findings refer to, of every command")
    .addOption(new Option("--format <format>", "how to print them").choices(["text", "json"]).default("text"))
    .action(({ format }: { readonly format: "text" | "json" }) => {
      if (format === "json") {
        process.stdout.write(`${JSON.stringify(Object.fromEntries(ALL_RULES))}\n`);
        return;
      }
      const { bold } = colorsFor(process.stdout);
      for (const [id, { summary }] of ALL_RULES) process.stdout.write(`${bold(id)}\n  ${summary}\n`);
    });
  addExamples(command, [
    ["agentprint rules", "every rule in one line"],
    ["agentprint explain tool_removed", "one rule and what to do about it"],
  ]);
}
