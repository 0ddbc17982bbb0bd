import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { outputOf, startProgram } from "@agentprint/testing/programs";
import { run } from "../../src/run-program.ts";
import { memoryContext, STATE } from "../support/run-cli.ts";
import { AGENTPRINT } from "../support/spawn-cli.ts";
import type { Workspace } from "../support/workspace.ts";

/** The first message of a client in an old era. */
export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
} as const;

/** Returns a tool call of an old era. */
export function callOf(id: number | string, name: string, args: object = {}, meta?: object): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args, ...(meta && { _meta: meta }) } };
}

/** The guard's variables: one that a server's launch may name, and one that it does not name. */
const SECRETS = { SECRET_KEY: "value-of-the-key", OTHER_KEY: "not for the server" };

/** A stdio guard between this process and a server, and the guard's output. */
abstract class Conversation {
  readonly #input: Writable;
  readonly #output: EventEmitter = new EventEmitter();
  readonly #lines: string[] = [];
  #rest = "";
  #isOver = false;
  stderr = "";

  /** @param over Resolves when both outputs have ended */
  protected constructor(input: Writable, stdout: Readable, stderr: Readable, over: Promise<unknown>) {
    this.#input = input;
    stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (this.#rest + text).split("\n");
      this.#rest = lines.pop() ?? "";
      this.#lines.push(...lines);
      this.#output.emit("line");
    });
    stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      this.#output.emit("said");
    });
    // No one waits for output of a guard that has ended.
    void over.then(() => {
      this.#isOver = true;
      for (const event of ["line", "said"]) this.#output.emit(event);
    });
  }

  send(...messages: object[]): void {
    for (const message of messages) this.#input.write(`${JSON.stringify(message)}\n`);
  }

  /** The lines that have not been read yet. */
  get unread(): readonly string[] {
    return this.#lines;
  }

  async line(): Promise<string> {
    while (this.#lines.length === 0) await this.#next("line");
    return this.#lines.shift() ?? "";
  }

  async says(text: string): Promise<void> {
    while (!this.stderr.includes(text)) await this.#next("said");
  }

  async #next(event: "line" | "said"): Promise<void> {
    if (this.#isOver) throw new Error(`the guard has ended: ${this.stderr}`);
    await once(this.#output, event);
  }
}

/** A guard in its own process; disposing of it kills the process. */
export class Guarded extends Conversation implements AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;

  private constructor(child: ChildProcessWithoutNullStreams) {
    super(child.stdin, child.stdout, child.stderr, once(child, "close"));
    this.child = child;
  }

  static start(space: Workspace, server: string, ...more: string[]): Promise<Guarded> {
    return Guarded.startIn(space, {}, server, ...more);
  }

  /** Starts a guard with additional variables. */
  static async startIn(
    space: Workspace,
    variables: Readonly<Record<string, string>>,
    server: string,
    ...more: string[]
  ): Promise<Guarded> {
    const [command, ...args] = AGENTPRINT;
    const env = { ...process.env, ...STATE, ...SECRETS, ...variables };
    return new Guarded(await startProgram(command, [...args, "guard", server, ...more], { cwd: space.folder, env }));
  }

  async end(): Promise<[code: number | null, signal: NodeJS.Signals | null]> {
    const { exitCode, signalCode } = this.child;
    if (exitCode !== null || signalCode !== null) return [exitCode, signalCode];
    return (await once(this.child, "exit")) as [number | null, NodeJS.Signals | null];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill("SIGKILL");
    await this.end();
  }
}

/**
 * A guard in this process, for tests that are not about the guard's own process; the server has its own process.
 * Disposing of the guard ends its input.
 */
export class GuardedHere extends Conversation implements AsyncDisposable {
  readonly #stdin: Writable;
  readonly #code: Promise<number>;

  constructor(space: Workspace, server: string, ...more: readonly string[]) {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const options = { cwd: space.folder, env: SECRETS, processes: true };
    const code = run({ ...memoryContext(["guard", server, ...more], options, stdout, stderr), stdin });
    const both = [finished(stdout), finished(stderr)];
    super(stdin, stdout, stderr, Promise.all(both));
    this.#stdin = stdin;
    this.#code = code.finally(() => {
      for (const output of [stdout, stderr]) output.end();
    });
  }

  /** Ends the guard's input; returns its exit code once all of its output has been read. */
  async end(): Promise<number> {
    this.#stdin.end();
    return await this.#code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}

/** Reports whether a process is running; an ended process stays listed until its parent reads its status. */
export function isRunning(pid: number): boolean {
  try {
    const [state] = outputOf("ps", ["-o", "stat=", "-p", String(pid)]);
    return state !== "Z";
  } catch {
    return false;
  }
}
