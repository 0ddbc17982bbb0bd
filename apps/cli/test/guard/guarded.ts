import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { outputOf, startProgram } from "@agentprint/testing/programs";
import { STATE } from "../support/run-cli.ts";
import { AGENTPRINT } from "../support/spawn-cli.ts";
import type { Workspace } from "../support/workspace.ts";

/** The first message of a client of an old era. */
export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
} as const;

/** A call of a tool in an old era. */
export function callOf(id: number | string, name: string, args: object = {}, meta?: object): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args, ...(meta && { _meta: meta }) } };
}

/** A guard between this process and a server, stdio to stdio; disposing of it kills the guard. */
export class Guarded implements AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #lines: string[] = [];
  #rest = "";
  #isOver = false;
  stderr = "";

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child;
    this.child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (this.#rest + text).split("\n");
      this.#rest = lines.pop() ?? "";
      this.#lines.push(...lines);
      this.child.emit("line");
    });
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      this.child.emit("said");
    });
    // Nobody waits for output of a guard that has ended.
    this.child.once("close", () => {
      this.#isOver = true;
      for (const event of ["line", "said"]) this.child.emit(event);
    });
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
    const secrets = { SECRET_KEY: "value-of-the-key", OTHER_KEY: "not for the server" };
    const env = { ...process.env, ...STATE, ...secrets, ...variables };
    return new Guarded(await startProgram(command, [...args, "guard", server, ...more], { cwd: space.folder, env }));
  }

  send(...messages: object[]): void {
    for (const message of messages) this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** The lines that have not been requested yet. */
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
    await once(this.child, event);
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

/** Whether a process runs; an ended one stays listed until its parent reads its status. */
export function isRunning(pid: number): boolean {
  try {
    const [state] = outputOf("ps", ["-o", "stat=", "-p", String(pid)]);
    return state !== "Z";
  } catch {
    return false;
  }
}
