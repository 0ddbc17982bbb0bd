import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type RunOptions, type RunResult, STATE } from "./run-cli.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** The command line of agentprint, run from source. */
export const AGENTPRINT: readonly [command: string, ...args: string[]] = [
  process.execPath,
  "--conditions=@agentprint/source",
  MAIN,
];

/**
 * The same in a shell, with the cache of compiled code: jobs do not hand on the environment of the tests, and compiling
 * the sources takes longer than most commands.
 */
export const AGENTPRINT_LINE: string = [
  `env NODE_COMPILE_CACHE="${process.env["NODE_COMPILE_CACHE"] ?? ""}"`,
  ...AGENTPRINT.map((word) => `"${word}"`),
].join(" ");

/** Runs the command in a process of its own and waits for its end: for tests of the process itself. */
export function spawnCli(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const [command, ...prefix] = AGENTPRINT;
  const { FORCE_COLOR: _force, NO_COLOR: _no, ...env } = process.env;
  const child = spawn(command, [...prefix, ...args], { cwd: options.cwd, env: { ...env, ...STATE, ...options.env } });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  child.stdin.end(options.stdin ?? "");
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
  });
}
