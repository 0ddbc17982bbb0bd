import { PassThrough } from "node:stream";
import { createContext } from "../../src/run/context.ts";
import { run } from "../../src/run-program.ts";
import { memoryChannel } from "./memory-channel.ts";
import type { RunOptions, RunResult } from "./run-cli.ts";
import { SHORT_VISITS } from "./short-visits.ts";

/** Returns an in-memory stream that claims to be a terminal. */
export function terminal(columns?: number): PassThrough & { isTTY: boolean } {
  return Object.assign(new PassThrough({ encoding: "utf8" }), { isTTY: true, ...(columns && { columns }) });
}

const HANGS_MS = 60_000;

/**
 * The input to type when the words of a question first appear on the screen; `undefined` ends the input, as Ctrl-D
 * does. A function types nothing and receives the text on the screen.
 */
export type Dialogue = readonly (readonly [question: string, typed: string | ((screen: string) => void) | undefined])[];

interface TerminalRun extends RunResult {
  /** The questions that never appeared. */
  readonly unasked: readonly string[];
}

/** Runs the command line in this process, for a person who sees it on a terminal and answers it. */
export async function runInTerminal(
  args: readonly string[],
  dialogue: Dialogue,
  { cwd = ".", env = {}, processes = false, visits = {} }: RunOptions = {},
): Promise<TerminalRun> {
  const [stdin, stdout, stderr] = [terminal(), terminal(200), terminal(200)];
  const { FORCE_COLOR: _, ...inherited } = process.env;
  // A question that the dialogue does not answer aborts the run.
  const signal = AbortSignal.timeout(HANGS_MS);
  const context = createContext({
    args,
    stdin,
    stdout,
    stderr,
    cwd,
    signal,
    visits: { ...SHORT_VISITS, ...visits },
    env: { ...inherited, NO_COLOR: "1", ...env },
    ...(processes ? {} : { channel: memoryChannel }),
  });
  const said = { stdout: "", stderr: "" };
  let seen = 0;
  const rest = [...dialogue];
  stdout.on("data", (text: string) => {
    said.stdout += text;
  });
  stderr.on("data", (text: string) => {
    said.stderr += text;
    const place = rest.findIndex(([question]) => said.stderr.includes(question, seen));
    const [, typed] = rest[place] ?? [];
    if (place === -1) return;
    seen = said.stderr.length;
    rest.splice(place, 1);
    if (typed === undefined) stdin.end();
    else if (typeof typed === "function") typed(said.stderr);
    else stdin.write(`${typed}\n`);
  });
  const code = await run(context);
  await new Promise((resolve) => setImmediate(resolve));
  return { code, ...said, unasked: rest.map(([question]) => question) };
}
