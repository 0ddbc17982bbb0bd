import { setTimeout } from "node:timers/promises";
import type { PinnedServer } from "../pinned-server.ts";

const AT_ONCE = 4;
/** How long a process that says nothing counts as starting, in milliseconds. */
const SILENT_MS = 1000;

/** Starts a few processes at a time: each takes a processor for itself, and many at once leave none for the guard. */
export class Starts {
  #free = AT_ONCE;
  readonly #waiting: (() => void)[] = [];

  /** Starts a process when it is its turn. The next one is started when this one has said something, or nothing for a second. */
  async run(start: () => Promise<PinnedServer>): Promise<PinnedServer> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const next = (): void => this.#next();
    try {
      const server = await start();
      void Promise.race([server.outputChecked, setTimeout(SILENT_MS, undefined, { ref: false })]).then(next, next);
      return server;
    } catch (error) {
      next();
      throw error;
    }
  }

  #next(): void {
    const begin = this.#waiting.shift();
    if (begin === undefined) this.#free++;
    else begin();
  }
}
