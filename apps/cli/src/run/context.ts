import { isAbsolute } from "node:path";
import type { Readable, Writable } from "node:stream";
import type { AnswerMemory } from "@agentprint/mcp-auth";
import type { ChannelFactory } from "@agentprint/mcp-visit";
import type { VisitSettings } from "@agentprint/policy/settings";
import { type Colors, colorsFor } from "./color.ts";
import { HiddenValues } from "./hidden-values.ts";

/** The output of a command: a stream, which may be a terminal with a width in columns. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The signals that this process gets from outside. */
interface ProcessSignals {
  /** Passes termination signals to `handle`; returns a function that stops listening. */
  listen(handle: (signal: NodeJS.Signals) => void): () => void;
  /** Ends the process with a signal, as if it had no listener. */
  raise(signal: NodeJS.Signals): void;
}

/** The inputs of a command-line run; the run reads none of them from the process itself. */
export interface Surroundings {
  /** The words after `agentprint`. */
  readonly args: readonly string[];
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder at which relative paths start: `.` for the process's own, otherwise absolute. */
  readonly cwd: string;
  /** Aborts a wait for a person, for input or for the next server. */
  readonly signal?: AbortSignal;
  /** The signals of the process; absent if the run has no separate process. */
  readonly signals?: ProcessSignals;
  /** The visit settings to use if no configuration has any. */
  readonly visits?: VisitSettings;
  /** Makes the channels of visits, instead of processes and connections. */
  readonly channel?: ChannelFactory;
}

/** The context in which every command runs. */
export interface Context extends Surroundings {
  /** The answers from addresses, if the run requests them repeatedly. */
  readonly answers?: AnswerMemory;
  /** The values that no output shows. */
  readonly hidden: HiddenValues;
  /** Returns a path for system calls. It is not normalized, because the system resolves `..` after a link. */
  pathOf(path: string): string;
  /** Returns the colour functions for an output; they return their input unchanged if the output gets no colour. */
  colorsOf(output: Output): Colors;
}

/** The part of a context that reading a file or standard input needs. */
export type InputContext = Pick<Context, "pathOf" | "stdin" | "signal">;

/** Returns a context whose outputs hide values from every writer. */
export function createContext(surroundings: Surroundings): Context {
  const { args, stdout, stderr, env, cwd, signal, signals, visits, channel } = surroundings;
  const hidden = new HiddenValues();
  hidden.guard(stdout);
  hidden.guard(stderr);
  return {
    args,
    // Standard input is opened when it is read, but spreading the environment object would open it here.
    get stdin() {
      return surroundings.stdin;
    },
    stdout,
    stderr,
    env,
    cwd,
    ...(signal && { signal }),
    ...(signals && { signals }),
    ...(visits && { visits }),
    ...(channel && { channel }),
    hidden,
    pathOf: (path) => (cwd === "." || isAbsolute(path) ? path : `${cwd}/${path}`),
    colorsOf: (output) => colorsFor(surroundings, output),
  };
}
