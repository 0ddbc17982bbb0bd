import type { Command } from "commander";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";

/** The exports of a command's file. */
interface CommandModule {
  /** Adds the arguments and options of the command. */
  define(command: Command): void;
  /** The examples at the end of the command's help. */
  readonly examples?: Examples;
  /**
   * Runs the command and returns its exit code. Commander passes each argument, the options, and the command itself.
   */
  run(context: Context, ...given: never[]): number | Promise<number>;
}

/** A command as help lists it, before any of its code is loaded. */
export interface CommandEntry {
  /** The command's name, and what follows it in a list of commands: `hash [options] [file]`. */
  readonly term: string;
  readonly summary: string;
  /** The heading under which agentprint's help lists the command. */
  readonly group?: string;
  /** Loads the module of the command; absent if it only has subcommands. */
  readonly load?: () => Promise<CommandModule>;
  readonly commands?: readonly CommandEntry[];
}
