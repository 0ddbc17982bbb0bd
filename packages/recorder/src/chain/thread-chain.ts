import type { MessagePort } from "node:worker_threads";
import type { TreeHead } from "@agentprint/trail/chain";
import { RecorderError } from "../errors.ts";
import type { UnendedSession } from "../sink/sink.ts";
import type { Chain, ChainEntry } from "./chain.ts";
import { type Answer, type AppendArgument, type Question, toColumns, toError } from "./thread-protocol.ts";

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A chain that another thread seals and writes. While there is no pending request, it does not keep the process from
 * ending.
 */
export class ThreadChain implements Chain {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #isGone = false;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on("message", (answer: Answer) => this.#take(answer));
    port.once("close", () => {
      this.#isGone = true;
      for (const { reject } of this.#waiting.values()) reject(gone());
      this.#waiting.clear();
    });
    port.unref();
  }

  /** Whether the thread has ended, or the chain is closed. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** Waits until the chain is open; throws whatever the store throws. */
  async open(): Promise<void> {
    await this.#ask("open");
  }

  async append(entries: readonly ChainEntry[], isSpread = false): Promise<void> {
    await this.#ask("append", { columns: toColumns(entries), isSpread } satisfies AppendArgument);
  }

  findUnended(): Promise<readonly UnendedSession[]> {
    return this.#ask("findUnended") as Promise<readonly UnendedSession[]>;
  }

  async settle(reported: readonly UnendedSession[]): Promise<void> {
    await this.#ask("settle", reported);
  }

  treeHead(): Promise<TreeHead> {
    return this.#ask("treeHead") as Promise<TreeHead>;
  }

  async close(ended: boolean): Promise<void> {
    try {
      await this.#ask("close", ended);
    } finally {
      this.#port.close();
    }
  }

  #ask(method: Question["method"], argument?: unknown): Promise<unknown> {
    if (this.#isGone) return Promise.reject(gone());
    const number = this.#asked++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#port.ref();
      this.#port.postMessage({ number, method, argument } satisfies Question);
    });
  }

  #take(answer: Answer): void {
    const waiting = this.#waiting.get(answer.number);
    this.#waiting.delete(answer.number);
    if (this.#waiting.size === 0) this.#port.unref();
    if ("error" in answer) waiting?.reject(toError(answer.error));
    else waiting?.resolve(answer.value);
  }
}

function gone(): RecorderError {
  return new RecorderError("unavailable", "the writing thread has ended");
}
