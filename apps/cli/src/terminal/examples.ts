import type { Command } from "commander";

/** Adds an "Examples" section to a command's help: each command line with what it does. */
export function addExamples(command: Command, examples: readonly (readonly [line: string, does: string])[]): void {
  const text = examples.map(([line, does]) => `  $ ${line}\n      ${does}`).join("\n");
  command.addHelpText("after", `\nExamples:\n${text}`);
}
