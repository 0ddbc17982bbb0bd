import type { Command } from "commander";

/** Command lines with their effects. */
export type Examples = readonly (readonly [line: string, does: string])[];

/** Adds an "Examples" section to a command's help. */
export function addExamples(command: Command, examples: Examples): void {
  const text = examples.map(([line, does]) => `  $ ${line}\n      ${does}`).join("\n");
  command.addHelpText("after", `\nExamples:\n${text}`);
}
