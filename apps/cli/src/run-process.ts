import { createContext } from "./run/context.ts";
import { run } from "./run-program.ts";
import { reportError } from "./terminal/report-error.ts";

const ENDING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs the command line of this process, and sets its exit code. */
export async function runProcess(): Promise<void> {
  // A reader that closed the pipe (`| head`) does not affect the result: the command continues to its exit code.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }

  const context = createContext({
    args: process.argv.slice(2),
    // Opened only when a command reads it, because opening takes time, and keeps a pipe from its next reader.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: ".",
    signals: {
      listen: (handle) => {
        for (const signal of ENDING) process.on(signal, handle);
        // Not at once, because a library that sees no other listener (signal-exit, through proper-lockfile) ends the
        // process immediately.
        return () =>
          setImmediate(() => {
            for (const signal of ENDING) process.off(signal, handle);
          });
      },
      raise: (signal) => {
        // A library's listener would keep the signal from ending the process.
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
      },
    },
  });

  // Node's own exit code for an uncaught error is 1, which would mean that a difference was found.
  process.on("uncaughtException", (error) => process.exit(reportError(context, error)));
  process.exitCode = await run(context);
}
