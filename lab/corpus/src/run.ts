import { spawn } from "node:child_process";
import { once } from "node:events";

/** The output and the exit code of a program. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** The milliseconds after which the program is ended. */
  readonly timeout?: number;
}

/** Runs a program to its end. */
export async function run(
  [program, ...args]: readonly [string, ...string[]],
  { cwd, env = {}, input = "", timeout = 600_000 }: RunOptions,
): Promise<Ran> {
  const start = performance.now();
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, timeout });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr, seconds: (performance.now() - start) / 1000 };
}

/** Returns the standard output of a program; throws if its exit code is not 0. */
export async function output(command: readonly [string, ...string[]], options: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await run(command, options);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${stderr.trim().slice(-2000)}`);
  return stdout;
}
