import spawn from "cross-spawn";
import { ArtifactError } from "./errors.ts";
import type { Surroundings } from "./surroundings.ts";

/** In milliseconds. */
const TIME_LIMIT = 60_000;
/** The maximum length of a program's output, in UTF-16 code units. */
const MAX_OUTPUT = 64 * 1024 * 1024;

/**
 * The result of a program that ended: its output, and its exit code, which is `null` if a signal or the time limit
 * ended it.
 */
export interface ProgramEnd {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/**
 * Runs a program and returns its output. On Windows, npm is a script, which only cross-spawn can start.
 *
 * @param input The text to write to its standard input
 * @param timeLimit The time after which the program is killed, in milliseconds
 * @throws {@link ArtifactError} `no-program` if it cannot be started
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env, signal }: Surroundings,
  input = "",
  timeLimit: number = TIME_LIMIT,
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const failed = (error: unknown): void => {
      const reason = error instanceof Error ? error.message : String(error);
      reject(new ArtifactError("no-program", `cannot run ${program}: ${reason}`, error));
    };
    const child = spawn(program, args, {
      cwd,
      env: { ...env },
      ...(signal && { signal }),
      stdio: "pipe",
    });
    // Node's own `timeout` would keep the process until the time limit if the program cannot be started.
    const limit = setTimeout(() => child.kill(), timeLimit).unref();
    const said = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name]?.setEncoding("utf8").on("data", (text: string) => {
        if (said[name].length < MAX_OUTPUT) said[name] += text;
      });
    }
    // If a program ends before it has read its input, its exit code explains why.
    child.stdin?.on("error", () => undefined).end(input);
    child.on("error", failed).on("close", (code) => {
      clearTimeout(limit);
      resolve({ ...said, code });
    });
  });
}
