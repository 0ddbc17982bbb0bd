// The entry of a worker thread of `trail verify --workers`.
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type LineBatch, ShareVerifier } from "@agentprint/trail/chain";
import type { CheckpointTrust } from "@agentprint/trail/checkpoint";
import type { TrailStore } from "@agentprint/trail-store";
import { toTrust } from "./trust.ts";
import type { Answer, Job, Question } from "./worker-protocol.ts";

const port = parentPort as MessagePort;
const job = workerData as Job;

/** Posts what `work` returns, or `done` in its place, or the error. */
async function answer<T>(work: () => T | Promise<T>, done?: Answer<T>): Promise<void> {
  let message: Answer<T>;
  try {
    const value = await work();
    message = done ?? { value };
  } catch (error) {
    message = { error: describe(error) };
  }
  port.postMessage(message, "taken" in message ? [message.taken.buffer] : []);
}

/** An error as it crosses to the other thread, where its class would be lost. */
function describe(error: unknown): { message: string; code?: string } {
  const { message, code } = error as { message?: unknown; code?: unknown };
  return { message: String(message ?? error), ...(typeof code === "string" ? { code } : {}) };
}

async function ask(store: TrailStore, question: Question, trust: CheckpointTrust | undefined): Promise<unknown> {
  if (question === "structure") return store.checkStructure();
  const { taskId, length } = question;
  return store.verify(taskId, { structure: false, listed: length, ...(trust && { trust: () => trust }) });
}

if (job === "lines") {
  const verifier = new ShareVerifier();
  port.on("message", (message: LineBatch | "nothing more") => {
    if (message === "nothing more") return answer(() => verifier.finish());
    return answer(() => verifier.push(message), { taken: message.bytes });
  });
} else {
  const { openTrailStore } = await import("@agentprint/trail-store");
  const trust = job.keys && toTrust(job.keys);
  const opening = openTrailStore(job.url, { readonly: true });
  // The thread that asks gets the error as an answer.
  opening.catch(() => {});
  port.on("message", async (message: Question | "nothing more") => {
    if (message !== "nothing more") return answer(async () => ask(await opening, message, trust));
    await (await opening).close();
    port.close();
  });
}
