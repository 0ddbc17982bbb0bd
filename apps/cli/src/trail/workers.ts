import { Worker } from "node:worker_threads";
import {
  joinShares,
  type LineBatch,
  LineSplitter,
  type ShareReport,
  type TaskLinesReport,
} from "@agentprint/trail/chain";
import type { StoreChainReport, StoreProblem, StoreReport } from "@agentprint/trail-store";
import { mapConcurrently } from "../concurrency.ts";
import type { InputContext } from "../context.ts";
import { CliError } from "../errors.ts";
import { storeIn, withStore } from "./source.ts";
import type { TrustKeys } from "./trust.ts";
import type { Answer, Job, Message, Question } from "./worker-protocol.ts";

/** Bytes of lines that a worker has not verified yet: beyond that, reading waits. */
const MAX_PENDING_BYTES = 4 * 2 ** 20;

/** A worker thread that answers one question at a time. */
class Thread {
  readonly #worker: Worker;
  #resolve: (value: unknown) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #resume = (): void => {};
  readonly #reuse: (bytes: LineBatch["bytes"]) => void;
  #pendingBytes = 0;
  #failure: { readonly error: unknown } | undefined;

  /** @param reuse - Takes the bytes of lines that were verified. */
  constructor(job: Job, reuse: (bytes: LineBatch["bytes"]) => void = () => {}) {
    this.#reuse = reuse;
    this.#worker = new Worker(new URL(import.meta.resolve("#trail-worker")), { workerData: job });
    this.#worker.on("message", (answer: Answer<unknown>) => {
      if ("taken" in answer) this.#take(answer.taken);
      else if ("value" in answer) this.#resolve(answer.value);
      else this.#fail(Object.assign(new Error(answer.error.message), { code: "unreadable-input" }, answer.error));
    });
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () =>
      this.#fail(new CliError("unreadable-input", "a worker ended before it had verified its tasks")),
    );
  }

  async ask<T>(question: Question | "nothing more"): Promise<T> {
    this.#post(question);
    return new Promise<T>((resolve, reject) => {
      this.#resolve = resolve as (value: unknown) => void;
      this.#reject = reject;
    });
  }

  /** Gives the worker lines; resolves when it can take more. */
  async write(batch: LineBatch): Promise<void> {
    this.#pendingBytes += batch.bytes.length;
    this.#post(batch, [batch.bytes.buffer, batch.lines.buffer]);
    if (this.#pendingBytes <= MAX_PENDING_BYTES) return;
    await new Promise<void>((resolve, reject) => {
      this.#resume = resolve;
      this.#reject = reject;
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #post(message: Message, transferred: ArrayBuffer[] = []): void {
    if (this.#failure) throw this.#failure.error;
    this.#worker.postMessage(message, transferred);
  }

  #take(bytes: LineBatch["bytes"]): void {
    this.#pendingBytes -= bytes.length;
    this.#reuse(bytes);
    if (this.#pendingBytes <= MAX_PENDING_BYTES) this.#resume();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#reject(error);
  }
}

/** Returns the `verifyTaskLines` report on `chunks`: each worker gets the lines of some of the tasks. */
export async function verifyInShares(chunks: AsyncIterable<Uint8Array>, workers: number): Promise<TaskLinesReport> {
  const splitter = new LineSplitter(workers);
  const threads = Array.from({ length: workers }, () => new Thread("lines", (bytes) => splitter.reuse(bytes)));
  try {
    for await (const batch of batchesOf(chunks, splitter)) await threads[batch.share]?.write(batch);
    return joinShares(await Promise.all(threads.map((thread) => thread.ask<ShareReport>("nothing more"))));
  } finally {
    await Promise.all(threads.map((thread) => thread.close()));
  }
}

async function* batchesOf(
  chunks: AsyncIterable<Uint8Array>,
  splitter: LineSplitter,
): AsyncGenerator<LineBatch, void> {
  for await (const chunk of chunks) yield* splitter.push(chunk);
  yield* splitter.end();
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
