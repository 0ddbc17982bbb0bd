import { type Command, Option } from "commander";
import { DEFAULT_LOCK } from "../lock/read-lock.ts";

/** The options of every command that reads a lock and visits no server. */
export interface LockOptions {
  readonly lock: string;
  readonly format: "text" | "json";
}

/** Adds `--lock` and `--format`. */
export function addLockOptions(command: Command): Command {
  return command
    .option("-l, --lock <file>", "the lock file", DEFAULT_LOCK)
    .addOption(new Option("--format <format>", "format of the output").choices(["text", "json"]).default("text"));
}
