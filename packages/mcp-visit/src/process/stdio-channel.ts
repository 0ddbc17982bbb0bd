import type { ChildProcess } from "node:child_process";
import type { RequestId, RpcMessage } from "@agentprint/mcp";
import type { Channel, ChannelEvents, LoggedLines } from "../channel/channel.ts";
import { MessageReader } from "../channel/message-reader.ts";
import { VisitError } from "../errors.ts";
import { MAX_STDERR_BYTES } from "../limits.ts";
import type { Survivor } from "../survivor.ts";
import type { StdioTarget } from "../target.ts";
import { findMembers, type ProcessTree } from "./find-members.ts";
import { type LaunchedProcess, launchProcess } from "./launch-process.ts";
import { killTree, terminateTree, trackTree } from "./process-tree.ts";

/** How long each step of closing waits for the server or its output to end, in milliseconds. */
const GRACE = 500;

/**
 * The standard streams of a server that is started for one session. Each line is parsed strictly, the server's bytes
 * are counted, and its processes run in a system session that is ended completely.
 */
export class StdioChannel implements Channel {
  readonly #target: StdioTarget;
  #events: ChannelEvents | undefined;
  #launched: LaunchedProcess | undefined;
  #tree: ProcessTree | undefined;
  readonly #reader: MessageReader;
  #stderr = Buffer.alloc(0);

  constructor(target: StdioTarget, maxBytes: number) {
    this.#target = target;
    this.#reader = new MessageReader(maxBytes);
  }

  stderrTail(): string {
    return this.#stderr.toString();
  }

  logged(): LoggedLines | undefined {
    return this.#reader.logged;
  }

  async open(events: ChannelEvents): Promise<void> {
    this.#events = events;
    const launched = await launchProcess(this.#target);
    const { child, mark } = launched;
    this.#launched = launched;
    if (child.pid !== undefined) {
      this.#tree = { pid: child.pid, mark, members: new Map() };
      trackTree(this.#tree, launched.running);
    }
    this.#readStdout(child);
    child.stderr?.on("data", (chunk: Buffer) => {
      this.#stderr = Buffer.concat([this.#stderr, chunk]).subarray(-MAX_STDERR_BYTES);
    });
    launched.stdin.on("error", () => {
      // The server closed its input. `#watchEnd` reports the server's end.
    });
    void this.#watchEnd(launched);
    await launched.running;
  }

  send(message: RpcMessage): Promise<void> {
    this.#launched?.stdin.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  listen(): Promise<void> {
    return Promise.resolve();
  }

  agreeOn(): void {}

  cancel(requestId: RequestId): void {
    void this.send({ method: "notifications/cancelled", params: { requestId }, jsonrpc: "2.0" });
  }

  async close(): Promise<readonly Survivor[]> {
    const [launched, tree] = [this.#launched, this.#tree];
    this.#events = undefined;
    if (!launched || !tree) return [];
    this.#launched = undefined;
    const { child, stdin, ended } = launched;
    this.#stopReading(child);
    await findMembers(tree);
    stdin.end();
    if (!(await within(ended))) {
      terminateTree(tree);
      await within(ended);
    }
    const survivors = await killTree(tree);
    // A process that could not be ended may hold the other ends of the streams open, so this does not wait for them.
    for (const stream of child.stdio) stream?.destroy();
    child.unref();
    return survivors;
  }

  #readStdout(child: ChildProcess): void {
    child.stdout?.on("data", (chunk: Buffer) => {
      try {
        this.#reader.push(chunk, (message) => this.#events?.message(message));
      } catch (error) {
        this.#stopReading(child);
        if (!(error instanceof VisitError)) throw error;
        this.#events?.failure(error);
      }
    });
  }

  /**
   * Reports the server's end. A child of the server may hold stdout open, so this waits only briefly for stdout to end.
   */
  async #watchEnd({ child, ended }: LaunchedProcess): Promise<void> {
    const { how } = await ended;
    const { stdout } = child;
    if (stdout && !stdout.readableEnded && !stdout.destroyed) {
      await within(new Promise((resolve) => stdout.once("close", resolve)));
    }
    this.#events?.failure(
      new VisitError("server-ended", `the server ${how} before it answered`, {
        expected: "a server that keeps running until its input is closed",
        fix: "run its command by hand to see why; a variable that it needs belongs in its entry, or is passed with --env NAME",
      }),
    );
  }

  #stopReading(child: ChildProcess): void {
    child.stdout?.removeAllListeners("data");
    child.stdout?.destroy();
  }
}

/** Returns whether a promise settles within the grace period. */
async function within(promise: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, GRACE, false);
  });
  const settled = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return settled;
}
