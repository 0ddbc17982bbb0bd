import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";

/** Adds `agentprint complete <shell>`, which prints a completion script made from the registered commands. */
export function registerCompletion(program: Command): void {
  tab(program);
}
