import { type ChildProcess, type ForkOptions, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Measurable, Ready, Spent } from "./slices.ts";

/** A message from a process that measures one build. */
export type Reply = Ready | Spent | { readonly missing: string };

const SUBREAPER = fileURLToPath(new URL("../../../apps/scripts/src/processor-time.py", import.meta.url));
const hasSubreaper = process.platform === "linux" && spawnSync("python3", ["--version"]).status === 0;
/**
 * Processes that a command starts and leaves running, such as the servers of a check, become children of the subreaper,
 * which then counts their time.
 */
const UNDER_SUBREAPER: ForkOptions = Object.freeze({
  execPath: "python3",
  execArgv: [SUBREAPER, "--quiet", "--", process.execPath, ...process.execArgv],
});

/** A process that runs a row of one build. */
export class BuildProcess implements Measurable, AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #ready: Promise<Reply>;

  constructor(suite: string, index: number, benchmarks: string) {
    const args = [suite, String(index), benchmarks, hasSubreaper ? "reaped" : "alone"];
    this.#child = fork(new URL("build-child.ts", import.meta.url), args, hasSubreaper ? UNDER_SUBREAPER : {});
    this.#ended = once(this.#child, "exit"); // no event `close` comes after `disconnect`
    this.#ready = this.#reply();
  }

  async ready(): Promise<Ready> {
    return toMeasured(await this.#ready) as Ready;
  }

  async run(times: number): Promise<Spent> {
    const reply = this.#reply();
    this.#child.send(times, () => {}); // where it cannot be sent, the process has ended, which is the reply
    return toMeasured(await reply) as Spent;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    await this.#ended;
  }

  async #reply(): Promise<Reply> {
    const abort = new AbortController();
    const nothing = this.#ended.then((): [Reply] => [{ missing: "its process ended before the measurement" }]);
    const [reply] = await Promise.race([once(this.#child, "message", { signal: abort.signal }), nothing]);
    abort.abort();
    return reply;
  }
}

function toMeasured(reply: Reply): Ready | Spent {
  if ("missing" in reply) throw new Error(reply.missing);
  return reply;
}
