import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { PassThrough } from "node:stream";
import { compileFunction } from "node:vm";
import type { Server } from "./memory-channel.ts";

/**
 * The first line of a CommonJS server that uses only its process's arguments, variables, folder, standard input and
 * standard output, so that tests may run it in their own process. The line may list the first arguments to which this
 * applies.
 */
export const RUNS_IN_TESTS = "// Tests may run this in their own process.\n";
const FIRST_LINE = /^\/\/ Tests may run this in their own process(?:, with (?<words>.+))?\.\n/;

let starts = 0;

/**
 * Returns the server in a script whose first line resembles {@link RUNS_IN_TESTS}; each start runs the script again.
 */
export function scriptServer(path: string, cwd: string, word = ""): Server | undefined {
  const text = statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, "utf8") : "";
  const { groups } = FIRST_LINE.exec(text) ?? {};
  if (groups === undefined || (groups["words"] && !groups["words"].split(" ").includes(word))) return undefined;
  const run = compileFunction(text, ["require", "process", "console", "__filename"], { filename: path });
  return ({ args, env, write }) => {
    const stdin = new PassThrough();
    starts++;
    const started = {
      argv: [process.execPath, path, ...args],
      cwd: () => cwd,
      env,
      exit: () => {},
      hrtime: process.hrtime,
      pid: process.pid + starts,
      stderr: { write: () => {} },
      stdin,
      stdout: { write },
    };
    run(createRequire(path), started, { log: (line: string) => write(`${line}\n`) }, path);
    return (message) => void stdin.write(`${JSON.stringify(message)}\n`);
  };
}
