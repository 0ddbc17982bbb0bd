import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { checkTarget } from "../check-argument.ts";
import type { Survivor } from "../survivor.ts";
import type { StdioTarget } from "../target.ts";
import { findMembers, type ProcessTree } from "./find-members.ts";
import { type LaunchedProcess, launchProcess, type ServerEnd } from "./launch-process.ts";
import { killTree, terminateTree, trackTree } from "./process-tree.ts";

/** A server whose standard streams the caller uses. */
export interface RunningServer {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly ended: Promise<ServerEnd>;
  /** Asks all processes of the server to end. */
  terminate(): void;
  /**
   * Closes the server's input, asks the server to end if it does not, and then ends each of its processes. If
   * `terminate` is 0, the input stays open, so that the server can end in its own way. If this is called again, each
   * step happens at the earlier of the two times.
   *
   * @returns The processes that are still running.
   */
  close(times: EndTimes): Promise<readonly Survivor[]>;
}

/** How much time a server has to end, in milliseconds from now. */
export interface EndTimes {
  /** The time until SIGTERM asks it to end. */
  readonly terminate: number;
  /** Until SIGKILL ends it. */
  readonly kill: number;
  /**
   * Settles when the server's output has been read. Closing waits for this before it kills the server, and for a moment
   * after that.
   */
  readonly drained?: Promise<unknown>;
}

/** How long to wait for output after all processes have ended, in milliseconds. */
const DRAIN = 500;

/**
 * Starts a server for a conversation in the same way as a visit: its environment, arguments and parents do not show who
 * started it. None of its processes are left when this process ends, however it ends; on Windows, the server's child
 * processes survive a SIGKILL of this process. The caller decides what signals to this process do.
 *
 * @throws {@link VisitError} `server-not-started` if the command cannot be run.
 *
 * @example
 * ```ts
 * import { startServer } from "@agentprint/mcp-visit";
 *
 * const command = { command: "node", args: ["-e", "process.exit(3)"] };
 * const server = await startServer({ type: "stdio", ...command, env: {}, launch: { type: "stdio", ...command, env: [] } });
 * console.log((await server.ended).exitCode); // 3
 * await server.close({ terminate: 1000, kill: 2000 });
 * ```
 */
export async function startServer(target: StdioTarget): Promise<RunningServer> {
  checkTarget("target", target);
  const launched = await launchProcess(target);
  const { child, stdin, mark, running, ended } = launched;
  const { stdout, stderr } = child as { stdout: Readable; stderr: Readable };
  const tree: ProcessTree = { pid: child.pid as number, mark, members: new Map() };
  trackTree(tree, running, false);
  // `ended` is fulfilled when the server ends.
  stdin.on("error", () => undefined);
  const end = new ServerEnding(launched, tree);
  return {
    stdin,
    stdout,
    stderr,
    ended,
    terminate: () => terminateTree(tree),
    close: (times) => end.by(times),
  };
}

/** Ends a server step by step, each step at its time. */
class ServerEnding {
  readonly #child: ChildProcess;
  readonly #launched: LaunchedProcess;
  readonly #tree: ProcessTree;
  #terminateAt = Number.POSITIVE_INFINITY;
  #killAt = Number.POSITIVE_INFINITY;
  #drained: Promise<unknown> = Promise.resolve();
  #closing: Promise<readonly Survivor[]> | undefined;
  #wake: () => void = () => undefined;

  constructor(launched: LaunchedProcess, tree: ProcessTree) {
    this.#launched = launched;
    this.#child = launched.child;
    this.#tree = tree;
  }

  by({ terminate, kill, drained }: EndTimes): Promise<readonly Survivor[]> {
    if (drained !== undefined) this.#drained = drained;
    const now = performance.now();
    this.#terminateAt = Math.min(this.#terminateAt, now + terminate);
    this.#killAt = Math.min(this.#killAt, now + kill);
    this.#wake();
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<readonly Survivor[]> {
    const { ended } = this.#launched;
    const isAskedAtOnce = this.#terminateAt <= performance.now();
    if (isAskedAtOnce) terminateTree(this.#tree);
    // This happens before the input ends, because an orphaned process no longer names its parent.
    await findMembers(this.#tree);
    if (!isAskedAtOnce) {
      this.#launched.stdin.end();
      if (!(await this.#settlesBy(ended, () => Math.min(this.#terminateAt, this.#killAt)))) terminateTree(this.#tree);
    }
    if (await this.#settlesBy(ended, () => this.#killAt)) await this.#settlesBy(this.#drained, () => this.#killAt);
    const survivors = await killTree(this.#tree);
    const drainedAt = performance.now() + DRAIN;
    await this.#settlesBy(this.#drained, () => drainedAt);
    for (const stream of this.#child.stdio) stream?.destroy();
    this.#child.unref();
    return survivors;
  }

  /** Returns whether a promise settles before a given time, which may move closer in the meantime. */
  async #settlesBy(promise: Promise<unknown>, time: () => number): Promise<boolean> {
    let isSettled = false;
    const note = (): void => {
      isSettled = true;
    };
    const settled = promise.then(note, note);
    // A promise that has already settled counts, even if the time has passed.
    await Promise.race([settled, setImmediate()]);
    for (let left = time() - performance.now(); left > 0 && !isSettled; left = time() - performance.now()) {
      let timer: NodeJS.Timeout | undefined;
      const nearer = new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, Math.ceil(left));
      });
      await Promise.race([settled, nearer]);
      clearTimeout(timer);
    }
    return isSettled;
  }
}
