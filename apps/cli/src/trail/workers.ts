import { Worker } from "node:worker_threads";
import { joinParts, type PartReport, type TaskLinesReport } from "@agentprint/trail/chain";
import type { StoreChainReport, StoreProblem, StoreReport } from "@agentprint/trail-store";
import { openInput } from "../files/read-input.ts";
import { mapConcurrently } from "../run/concurrency.ts";
import type { InputContext } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { cutIntoParts } from "./file-parts.ts";
import { storeIn, withStore } from "./source.ts";
import type { TrustKeys } from "./trust.ts";
import type { Answer, FilePart, Job, Message, Question } from "./worker-protocol.ts";

/** In MiB. Without a limit, V8 would let the new objects of a worker take more and more memory, and the worker would be slower. */
const MAX_NEW_OBJECTS = 48;

/** A worker thread that answers one question at a time. */
class Thread {
  readonly #worker: Worker;
  #resolve: (value: unknown) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #failure: { readonly error: unknown } | undefined;

  /** @param onRead - Receives the number of further bytes of its part that the worker has verified. */
  constructor(job: Job, onRead: (bytes: number) => void = () => {}) {
    this.#worker = new Worker(new URL(import.meta.resolve("#trail-worker")), {
      workerData: job,
      resourceLimits: { maxYoungGenerationSizeMb: MAX_NEW_OBJECTS },
    });
    this.#worker.on("message", (answer: Answer<unknown>) => {
      if ("read" in answer) onRead(answer.read);
      else if ("value" in answer) this.#resolve(answer.value);
      else this.#fail(Object.assign(new Error(answer.error.message), { code: "unreadable-input" }, answer.error));
    });
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () =>
      this.#fail(new CliError("unreadable-input", "a worker ended before it had verified its tasks")),
    );
  }

  async ask<T>(message: Message): Promise<T> {
    if (this.#failure) throw this.#failure.error;
    this.#worker.postMessage(message);
    return new Promise<T>((resolve, reject) => {
      this.#resolve = resolve as (value: unknown) => void;
      this.#reject = reject;
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#reject(error);
  }
}

/**
 * Returns the `verifyTaskLines` report on a file; each worker verifies a part of it.
 *
 * @returns `undefined` if one worker has to read the complete file, because it has a problem or is a pipe.
 */
export async function verifyInParts(
  context: Pick<InputContext, "pathOf">,
  file: string,
  workers: number,
  onProgress: (bytes: number) => void,
): Promise<TaskLinesReport | undefined> {
  const handle = await openInput(context, file);
  try {
    if (!(await handle.stat()).isFile()) return undefined;
    return await joinOf(cutIntoParts(handle.fd, workers), onProgress);
  } catch {
    // A single worker names the unreadable line by its number in the complete file.
    return undefined;
  } finally {
    await handle.close();
  }
}

/** Joins the reports on all parts; returns `undefined` if there is a problem. */
async function joinOf(
  parts: readonly FilePart[],
  onProgress: (bytes: number) => void,
): Promise<TaskLinesReport | undefined> {
  let bytes = 0;
  const onRead = (more: number): void => {
    bytes += more;
    onProgress(bytes);
  };
  const threads = parts.map((part) => new Thread({ part }, onRead));
  try {
    return joinParts(await Promise.all(threads.map((thread) => thread.ask<PartReport | undefined>("part"))));
  } finally {
    await Promise.all(threads.map((thread) => thread.close()));
  }
}

/** Returns the problems of the store at `url`, and one report per task in the order of their names. */
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
