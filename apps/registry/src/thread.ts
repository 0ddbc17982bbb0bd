import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { RegistryError } from "./errors.ts";

/** The maximum heap of a thread, in megabytes. */
const MAX_HEAP_MB = 256;

/** A request to a thread; the thread sends `id` back with its answer. */
export interface ThreadRequest<Request> {
  readonly id: number;
  readonly request: Request;
}

/** A thread's answer; `failure` replaces `answer` if there is none. */
export interface ThreadAnswer<Answer> {
  readonly id: number;
  readonly answer?: Answer;
  readonly failure?: { readonly code: string; readonly message: string };
}

/** The options of a {@link Thread}. */
export interface ThreadOptions {
  /**
   * The name of the module without its extension. The module is next to the one whose `import.meta.url` is `beside`.
   */
  readonly entry: string;
  readonly beside: string;
  /** The thread's name in errors, such as "the thread that compares schemas". */
  readonly name: string;
  /** The most requests that may wait at the same time. */
  readonly maxWaiting: number;
  readonly data?: unknown;
}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A thread for work that would block the answers to requests. It starts with the first request, and starts again if it
 * has ended.
 */
export class Thread<Request, Answer> {
  readonly #options: ThreadOptions;
  readonly #waiting = new Map<number, Waiting<Answer>>();
  #worker: Worker | undefined;
  #count = 0;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /**
   * Returns the answer to a request.
   *
   * @throws {@link RegistryError} `UNAVAILABLE` when too many requests are waiting or the thread has ended; and the
   * thread's own errors.
   */
  async ask(request: Request): Promise<Answer> {
    const { name, maxWaiting } = this.#options;
    if (this.#waiting.size >= maxWaiting) {
      throw new RegistryError("UNAVAILABLE", `${name} is overloaded`, { headers: { "retry-after": "2" } });
    }
    return new Promise((resolve, reject) => {
      const id = this.#count++;
      this.#waiting.set(id, { resolve, reject });
      this.#worker ??= this.#start();
      const message: ThreadRequest<Request> = { id, request };
      this.#worker.postMessage(message);
    });
  }

  /** Ends the thread, even in the middle of its work. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    // The module is next to its caller, both in the sources and in the built output.
    const { entry, beside, name, data } = this.#options;
    const extension = extname(beside);
    const worker = new Worker(new URL(`./${entry}${extension}`, beside), {
      execArgv: extension === ".ts" ? ["--conditions=@agentprint/source"] : [],
      workerData: data,
      // If a thread needs more memory than this, only the thread ends, not the process.
      resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.unref();
    worker.on("message", ({ id, answer, failure }: ThreadAnswer<Answer>) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (failure) waiting?.reject(new RegistryError(failure.code as RegistryError["code"], failure.message));
      else waiting?.resolve(answer as Answer);
    });
    // An error also ends the thread, so the exit handler rejects its requests.
    worker.on("error", () => {});
    worker.on("exit", () => {
      this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) {
        reject(new RegistryError("UNAVAILABLE", `${name} ended`, { headers: { "retry-after": "1" } }));
      }
      this.#waiting.clear();
    });
    return worker;
  }
}
