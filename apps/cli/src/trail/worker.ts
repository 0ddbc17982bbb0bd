// The entry of a worker thread of `trail verify --workers`.
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { verifyTaskLines } from "@agentprint/trail/chain";
import type { TrailStore } from "@agentprint/trail-store";
import type { Answer, Job, Question } from "./worker-protocol.ts";

const port = parentPort as MessagePort;
const job = workerData as Job;

async function answer<T>(work: () => Promise<T>): Promise<void> {
  let message: Answer<T>;
  try {
    message = { value: await work() };
  } catch (error) {
    message = { error: describe(error) };
  }
  port.postMessage(message);
}

/** An error as it crosses to the other thread, where its class would be lost. */
function describe(error: unknown): { message: string; code?: string } {
  const { message, code } = error as { message?: unknown; code?: unknown };
  return { message: String(message ?? error), ...(typeof code === "string" ? { code } : {}) };
}

async function ask(store: TrailStore, question: Exclude<Question, "nothing more">): Promise<unknown> {
  if (question === "structure") return store.checkStructure();
  return store.verify(question.taskId, { structure: false });
}

if ("share" in job) {
  await answer(() => verifyTaskLines(process.stdin, job));
} else {
  const { openTrailStore } = await import("@agentprint/trail-store");
  const opening = openTrailStore(job.url, { create: false });
  // Whoever asks is told.
  opening.catch(() => {});
  port.on("message", async (question: Question) => {
    if (question !== "nothing more") return answer(async () => ask(await opening, question));
    await (await opening).close();
    port.close();
  });
}
