import { fileURLToPath } from "node:url";
import { runBeside } from "@agentprint/testing/programs";
import { bundledCommand } from "./bundled-command.ts";
import { type RunOptions, type RunResult, STATE } from "./run-cli.ts";

const MAIN = bundledCommand() ?? fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** The command line of agentprint: a bundle of the source if this run has built one, else the source itself. */
export const AGENTPRINT: readonly [command: string, ...args: string[]] = [
  process.execPath,
  "--conditions=@agentprint/source",
  "--conditions=@agentprint/node-sqlite", // as the built command has it
  MAIN,
];

/**
 * The same as a shell line, with the cache of compiled code: jobs do not pass on the tests' environment, and compiling
 * the sources takes longer than most commands.
 */
export const AGENTPRINT_LINE: string = [
  `env NODE_COMPILE_CACHE="${process.env["NODE_COMPILE_CACHE"] ?? ""}"`,
  ...AGENTPRINT.map((word) => `"${word}"`),
].join(" ");

interface SpawnOptions extends RunOptions {
  /** The words of a program through which the command is started. */
  readonly through?: readonly string[] | undefined;
}

/** Runs the command in its own process and waits for its end: for tests of the process itself. */
export function spawnCli(args: readonly string[], options: SpawnOptions = {}): Promise<RunResult> {
  const [command = "", ...words] = [...(options.through ?? []), ...AGENTPRINT, ...args];
  const { FORCE_COLOR: _force, NO_COLOR: _no, ...env } = process.env;
  return runBeside(command, words, {
    cwd: options.cwd,
    env: { ...env, ...STATE, ...options.env },
    stdin: options.stdin,
  });
}
