import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";
import type { Output } from "../context.ts";

/** Runs `agentprint complete …`: prints a completion script, or what completes the words behind `--`. */
export async function complete(words: readonly string[], stdout: Output, program: Command): Promise<void> {
  tab(program);
  // The library prints with `console.log`.
  const { log } = console;
  console.log = (line: string) => void stdout.write(`${line}\n`);
  try {
    await program.parseAsync(words, { from: "user" });
  } finally {
    console.log = log;
  }
}
