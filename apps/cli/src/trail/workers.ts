import { Worker } from "node:worker_threads";
import { joinShares, type TaskLinesReport } from "@agentprint/trail/chain";
import type { StoreChainReport, StoreProblem, StoreReport } from "@agentprint/trail-store";
import { mapConcurrently } from "../concurrency.ts";
import type { InputContext } from "../context.ts";
import { CliError } from "../errors.ts";
import { storeIn, withStore } from "./source.ts";
import type { TrustKeys } from "./trust.ts";
import type { Answer, Job, Question } from "./worker-protocol.ts";

/** A worker thread that answers one question at a time. */
class Thread {
  readonly #worker: Worker;
  #resolve: (value: unknown) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(job: Job) {
    this.#worker = new Worker(new URL(import.meta.resolve("#trail-worker")), {
      workerData: job,
      stdin: "share" in job,
    });
    this.#worker.on("message", (answer: Answer<unknown>) => {
      if ("value" in answer) this.#resolve(answer.value);
      else this.#reject(Object.assign(new Error(answer.error.message), { code: "unreadable-input" }, answer.error));
    });
    this.#worker.on("error", (error) => this.#reject(error));
    this.#worker.on("exit", () =>
      this.#reject(new CliError("unreadable-input", "a worker ended before it had verified its tasks")),
    );
  }

  answer<T>(): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#resolve = resolve as (value: unknown) => void;
      this.#reject = reject;
    });
  }

  ask<T>(question: Question): Promise<T> {
    this.#worker.postMessage(question);
    return this.answer<T>();
  }

  /** Resolves when the worker asks for more. */
  write(chunk: Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#worker.stdin?.write(chunk, () => resolve()));
  }

  end(): void {
    this.#worker.stdin?.end();
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

/**
 * Returns the `verifyTaskLines` report on `chunks`; every worker reads all of them and verifies a share of the tasks.
 */
export async function verifyInShares(chunks: AsyncIterable<Uint8Array>, workers: number): Promise<TaskLinesReport> {
  const threads = Array.from({ length: workers }, (_, index) => new Thread({ share: { index, of: workers } }));
  const feed = async (): Promise<void> => {
    for await (const chunk of chunks) {
      // The buffer is used again while a worker still has to take it.
      const copy = new Uint8Array(chunk);
      await Promise.all(threads.map((thread) => thread.write(copy)));
    }
    for (const thread of threads) thread.end();
  };
  try {
    const [shares] = await Promise.all([
      Promise.all(threads.map((thread) => thread.answer<TaskLinesReport>())),
      feed(),
    ]);
    const [first, ...others] = shares as [TaskLinesReport, ...TaskLinesReport[]];
    // Each of them has read every line.
    return { ...joinShares([first, ...others]), uncovered: first.uncovered };
  } finally {
    await Promise.all(threads.map((thread) => thread.close()));
  }
}

/** Problems of the store at `url`, and one report a task in the order of their names. */
export async function verifyStoreInParallel(
  context: Pick<InputContext, "pathOf">,
  url: string,
  keys: TrustKeys | undefined,
  workers: number,
  onProgress: (records: number) => void,
): Promise<Pick<StoreReport, "tasks" | "storeProblems">> {
  const tasks = await withStore(context, url, "read", async (store) => {
    const found: Question[] = [];
    for await (const task of store.tasks()) found.push(task);
    return found;
  });
  const questions: Question[] = ["structure", ...tasks];
  const threads = Array.from(
    { length: Math.min(workers, questions.length) },
    () => new Thread({ url: storeIn(context, url), keys }),
  );
  const idle = [...threads];
  let records = 0;
  try {
    const answers = await mapConcurrently(questions, threads.length, async (question) => {
      const thread = idle.pop() as Thread;
      const answer = await thread.ask<StoreChainReport | readonly StoreProblem[]>(question);
      idle.push(thread);
      if (!isStructure(answer)) records += answer.length;
      onProgress(records);
      return answer;
    });
    await Promise.all(threads.map((thread) => thread.ask("nothing more").catch(() => {})));
    return {
      tasks: answers.flatMap((answer) => (isStructure(answer) ? [] : answer)),
      storeProblems: answers.filter(isStructure).flat(),
    };
  } finally {
    await Promise.all(threads.map((thread) => thread.close()));
  }
}

function isStructure(answer: StoreChainReport | readonly StoreProblem[]): answer is readonly StoreProblem[] {
  return Array.isArray(answer);
}
