import { setTimeout } from "node:timers/promises";
import type { PinnedServer } from "../pinned-server.ts";

const AT_ONCE = 4;
/** How long a silent process counts as starting, in milliseconds. */
const SILENT_MS = 1000;

/** Starts only a few processes at a time, because each needs a processor, and many together would starve the guard. */
export class Starts {
  #free = AT_ONCE;
  /**
   * Processes that wait to be started, by server. The next process to start is the first server's, which then moves
   * behind the others.
   */
  readonly #waiting = new Map<object, (() => void)[]>();

  /**
   * Starts a process when it is its turn. The next process is started when this one has written something, or has been
   * silent for a second.
   *
   * @param server The server of the process; servers take turns, however many processes each of them waits for
   */
  async run(server: object, start: () => Promise<PinnedServer>): Promise<PinnedServer> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#wait(server, resolve));
    const next = (): void => this.#next();
    try {
      const started = await start();
      void Promise.race([started.outputChecked, setTimeout(SILENT_MS, undefined, { ref: false })]).then(next, next);
      return started;
    } catch (error) {
      next();
      throw error;
    }
  }

  #wait(server: object, begin: () => void): void {
    const others = this.#waiting.get(server);
    if (others === undefined) this.#waiting.set(server, [begin]);
    else others.push(begin);
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#free++;
      return;
    }
    const [server, [begin, ...others]] = first;
    this.#waiting.delete(server);
    if (others.length > 0) this.#waiting.set(server, others);
    begin?.();
  }
}

/** The queue for all servers that this process starts. */
export const STARTS: Starts = new Starts();
