// The entry of a worker thread of `trail verify --workers`.
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type PartReport, PartVerifier } from "@agentprint/trail/chain";
import type { CheckpointTrust } from "@agentprint/trail/checkpoint";
import type { TrailStore } from "@agentprint/trail-store";
import { readPart } from "./file-parts.ts";
import { toTrust } from "./trust.ts";
import type { Answer, FilePart, Job, Question } from "./worker-protocol.ts";

const port = parentPort as MessagePort;
const job = workerData as Job;
const PROGRESS_BYTES = 4 * 2 ** 20;

/** Posts the error that `work` throws, if any. */
async function refusing(work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    port.postMessage({ error: describe(error) });
  }
}

/** Returns a serializable form of an error for the other thread, if its class would be lost. */
function describe(error: unknown): { message: string; code?: string } {
  const { message, code } = error as { message?: unknown; code?: unknown };
  return { message: String(message ?? error), ...(typeof code === "string" ? { code } : {}) };
}

async function ask(store: TrailStore, question: Question, trust: CheckpointTrust | undefined): Promise<unknown> {
  if (question === "structure") return store.checkStructure();
  const { taskId, length } = question;
  return store.verify(taskId, { structure: false, listed: length, ...(trust && { trust: () => trust }) });
}

/** Posts the report on a part; the memory of its ids moves to the other thread. */
function verifyPart(part: FilePart): void {
  const verifier = new PartVerifier();
  let read = 0;
  for (const chunk of readPart(part)) {
    verifier.push(chunk);
    read += chunk.length;
    if (read < PROGRESS_BYTES) continue;
    port.postMessage({ read } satisfies Answer<never>);
    read = 0;
  }
  const report = verifier.finish();
  const tables = (report?.tasks ?? []).flatMap(({ ids }) => ids.flatMap((table) => table ?? []));
  const memory = tables.flatMap(({ chunks }) => chunks.map(({ buffer }) => buffer));
  port.postMessage({ value: report } satisfies Answer<PartReport | undefined>, memory);
}

if ("part" in job) {
  const { part } = job;
  port.on("message", () => refusing(() => verifyPart(part)));
} else {
  const { openTrailStore } = await import("@agentprint/trail-store");
  const trust = job.keys && toTrust(job.keys);
  const opening = openTrailStore(job.url, { readonly: true });
  // The requesting thread receives the error as an answer.
  opening.catch(() => {});
  port.on("message", async (message: Question | "nothing more") => {
    if (message !== "nothing more")
      return refusing(async () => port.postMessage({ value: await ask(await opening, message, trust) }));
    await (await opening).close();
    port.close();
  });
}
