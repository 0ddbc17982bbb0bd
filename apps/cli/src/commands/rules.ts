import { type Command, Option } from "commander";
import { RULES } from "../rules/rule-list.ts";
import { rulesPage } from "../rules/rules-page.ts";
import { colorsFor } from "../terminal/color.ts";
import { addExamples } from "../terminal/examples.ts";

const FORMATS = ["text", "json", "markdown"] as const;

export function registerRules(program: Command): void {
  const command = program
    .command("rules")
    .description("List the rules that findings refer to, of every command")
    .addOption(new Option("--format <format>", "how to print them").choices(FORMATS).default("text"))
    .action(({ format }: { readonly format: (typeof FORMATS)[number] }) => {
      if (format === "json") {
        const byId = Object.fromEntries(RULES.list().map(({ id, ...rule }) => [id, rule]));
        process.stdout.write(`${JSON.stringify(byId)}\n`);
        return;
      }
      if (format === "markdown") {
        process.stdout.write(rulesPage(RULES.list()));
        return;
      }
      const { bold } = colorsFor(process.stdout);
      for (const { id, summary } of RULES.list()) process.stdout.write(`${bold(id)}\n  ${summary}\n`);
    });
  addExamples(command, [
    ["agentprint rules", "every rule in one line"],
    ["agentprint explain manifest/tool-removed", "one rule and what to do about it"],
  ]);
}
