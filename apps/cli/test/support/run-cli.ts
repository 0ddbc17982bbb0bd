import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import type { VisitSettings } from "@agentprint/policy/settings";
import { problemsOf } from "@agentprint/testing/report/json-report";
import { type Context, createContext } from "../../src/run/context.ts";
import { run } from "../../src/run-program.ts";
import { memoryChannel } from "./memory-channel.ts";

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly stdin?: string | Uint8Array;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly visits?: VisitSettings;
  /** Whether to start processes even for servers that could answer in this process; see {@link memoryChannel}. */
  readonly processes?: boolean;
}

/** Runs the command line in this process, with in-memory streams. A JSON report must match the report schema. */
export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const [stdout, stderr] = [new Collector(), new Collector()];
  const code = await run(memoryContext(args, options, stdout, stderr));
  checkJsonReport(stdout.text);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

function checkJsonReport(stdout: string): void {
  if (!/^\{.*"reportVersion":/.test(stdout)) return;
  const problems = problemsOf(JSON.parse(stdout));
  if (problems.length > 0) throw new Error(`the JSON report is invalid: ${problems.join("; ")}`);
}

/** The folder in which this account's tests keep the state of commands between runs. */
export const STATE: Readonly<Record<string, string>> = {
  XDG_STATE_HOME: join(tmpdir(), `agentprint-test-state-${userInfo().uid}`),
};

/** Returns a context with in-memory streams, for functions that take a context. */
export function memoryContext(
  args: readonly string[] = [],
  options: RunOptions = {},
  stdout: Writable = new Collector(),
  stderr: Writable = new Collector(),
): Context {
  const { FORCE_COLOR: _force, NO_COLOR: _no, ...env } = process.env;
  return createContext({
    args,
    stdin: Readable.from(piecesOf(options.stdin)),
    stdout,
    stderr,
    env: { ...env, ...STATE, ...options.env },
    cwd: options.cwd ?? ".",
    ...(options.visits && { visits: options.visits }),
    ...(options.processes ? {} : { channel: memoryChannel }),
  });
}

function piecesOf(stdin: string | Uint8Array = ""): Uint8Array[] {
  const bytes = Buffer.from(stdin);
  return bytes.length === 0 ? [] : [bytes];
}

/** A stream that stores everything written to it. */
export class Collector extends Writable {
  readonly #chunks: Buffer[] = [];
  readonly #onText: (text: string) => void;

  /** @param onText Called with each text as it is written */
  constructor(onText: (text: string) => void = () => {}) {
    super();
    this.#onText = onText;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    this.#onText(chunk.toString());
    done();
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}
