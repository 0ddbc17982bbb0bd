import { spawn } from "node:child_process";
import { once } from "node:events";

/** A program that runs until it is disposed of. */
export interface Running extends AsyncDisposable {
  /** The output that showed that the program was running. */
  readonly said: string;
}

/** Starts a program, and waits until one of its output streams contains the given text. */
export async function start(
  command: readonly string[],
  cwd: string,
  looked: RegExp,
  env: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      child.emit("said");
    });
  }
  child.once("exit", () => child.emit("said"));
  let found: string | undefined;
  while (found === undefined) {
    await once(child, "said");
    if (child.exitCode !== null) throw new Error(`${command.join(" ")} ended: ${text}`);
    [found] = looked.exec(text) ?? [];
  }
  return {
    said: found,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
