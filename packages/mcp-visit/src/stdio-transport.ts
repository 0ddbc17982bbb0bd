import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { getDefaultEnvironment } from "@modelcontextprotocol/sdk/client/stdio.js";
import { serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import spawn from "cross-spawn";
import { ByteBudget } from "./byte-budget.ts";
import { VisitError } from "./errors.ts";
import { LineReader } from "./line-reader.ts";
import { parseMessage } from "./message.ts";
import { findMembers, killTree, type ProcessTree, SESSION_VARIABLE, terminateTree, trackTree } from "./process-tree.ts";
import type { StdioTarget } from "./target.ts";

const STDERR_TAIL_BYTES = 4096;
/** How long a server may take to end by itself at each step of closing. */
const GRACE = 500;

/**
 * The SDK's stdio transport with what a server of unknown intent asks for: lines are parsed strictly and passed on
 * untouched, the bytes it sends are counted, and it runs in a process group of its own that is ended as a whole.
 * Every error given to `onerror` is fatal.
 */
export class StdioTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly #target: StdioTarget;
  readonly #maxBytes: number;
  #child: ChildProcess | undefined;
  #tree: ProcessTree | undefined;
  #stderr = Buffer.alloc(0);

  constructor(target: StdioTarget, maxBytes: number) {
    this.#target = target;
    this.#maxBytes = maxBytes;
  }

  /** The last lines that the server wrote to stderr: for a person, never for a file. */
  get stderrTail(): string {
    return this.#stderr.toString();
  }

  start(): Promise<void> {
    const session = randomUUID();
    const child = this.#spawn(session);
    this.#child = child;
    if (child.pid !== undefined) {
      this.#tree = { pid: child.pid, session, members: new Map() };
      trackTree(this.#tree);
    }
    this.#readStdout(child);
    child.stderr?.on("data", (chunk: Buffer) => {
      this.#stderr = Buffer.concat([this.#stderr, chunk]).subarray(-STDERR_TAIL_BYTES);
    });
    child.stdin?.on("error", () => {
      // The server closed its input; that it ended is reported by its exit.
    });
    this.#watchEnd(child);
    return new Promise((resolve, reject) => {
      child.on("spawn", resolve);
      child.on("error", (error) => {
        reject(
          new VisitError("server-not-started", `cannot start ${this.#target.command}: ${error.message}`, {
            expected: "a command that can be run from here",
            fix: "check the command after --, and that it is installed and on PATH",
          }),
        );
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#child?.stdin?.write(serializeMessage(message));
    return Promise.resolve();
  }

  async close(): Promise<void> {
    const [child, tree] = [this.#child, this.#tree];
    if (!child || !tree) return;
    this.#child = undefined;
    this.#stopReading(child);
    findMembers(tree);
    child.stdin?.end();
    if (!(await hasEnded(child))) {
      terminateTree(tree);
      await hasEnded(child);
    }
    killTree(tree);
    // A process that got away may hold the other ends open: nothing waits for it.
    child.stdin?.destroy();
    child.stderr?.destroy();
    child.unref();
  }

  #spawn(session: string): ChildProcess {
    const { command, args, cwd } = this.#target;
    if (cwd !== undefined && !isFolder(cwd)) {
      // The error of the process would blame the command.
      throw new VisitError("server-not-started", `cannot start ${command}: there is no folder ${cwd}`, {
        expected: "a folder as cwd of the launch",
        fix: "make the folder, or correct cwd where the launch comes from",
      });
    }
    try {
      return spawn(command, [...args], {
        cwd,
        env: { ...getDefaultEnvironment(), ...this.#target.env, [SESSION_VARIABLE]: session },
        stdio: ["pipe", "pipe", "pipe"],
        detached: process.platform !== "win32",
        windowsHide: true,
      });
    } catch {
      // The cause would quote the value that cannot be passed.
      throw new VisitError("server-not-started", `cannot start ${command}`, {
        expected: "a command, arguments and variables without NUL characters",
      });
    }
  }

  #readStdout(child: ChildProcess): void {
    const budget = new ByteBudget(this.#maxBytes);
    const reader = new LineReader((line) => {
      if (this.#child) this.onmessage?.(parseMessage(line));
    });
    child.stdout?.on("data", (chunk: Buffer) => {
      try {
        budget.spend(chunk.length);
        reader.push(chunk);
      } catch (error) {
        this.#stopReading(child);
        if (!(error instanceof VisitError)) throw error;
        this.onerror?.(error);
      }
    });
  }

  /** A server that has ended may have left a child that holds its stdout open, so `close` alone cannot be waited for. */
  #watchEnd(child: ChildProcess): void {
    child.on("exit", (code, signal) => {
      const timer = setTimeout(() => this.#ended(code, signal), GRACE);
      child.once("close", () => {
        clearTimeout(timer);
        this.#ended(code, signal);
      });
    });
  }

  #ended(code: number | null, signal: NodeJS.Signals | null): void {
    if (!this.#child) return;
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
    this.onerror?.(
      new VisitError("server-ended", `the server ${how} before it had answered`, {
        expected: "a server that stays until its input is closed",
        fix: "run its command by hand to see why; environment variables reach it only through --env NAME",
      }),
    );
  }

  #stopReading(child: ChildProcess): void {
    child.stdout?.removeAllListeners("data");
    child.stdout?.destroy();
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function hasEnded(child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), GRACE);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
