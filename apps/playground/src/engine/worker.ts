/// <reference lib="webworker" />
// The worker in which every tool computes: the page stays responsive, and what takes too long can be ended.
import { describeError } from "./describe-error.ts";
import type { Answer, JobName, Jobs, Question } from "./jobs.ts";
import { withoutNetwork } from "./without-network.ts";

const scope = self as unknown as DedicatedWorkerGlobalScope;

/** Each job is loaded when it is first asked for. */
const JOBS: { readonly [Name in JobName]: () => Promise<Jobs[Name]> } = {
  canonical: async () => (await import("../canonical/canonical-job.ts")).canonicalJob,
  compare: async () => (await import("../compare/compare-job.ts")).compareJob,
  schemas: async () => (await import("../schemas/schemas-job.ts")).schemasJob,
  trail: async () => (await import("../trail/trail-job.ts")).trailJob,
  rows: async () => (await import("../trail/rows-job.ts")).rowsJob,
  proof: async () => (await import("../trail/proof-job.ts")).proofJob,
  givenProof: async () => (await import("../trail/proof-job.ts")).givenProofJob,
  consistency: async () => (await import("../trail/consistency-job.ts")).consistencyJob,
  statement: async () => (await import("../statement/statement-job.ts")).statementJob,
  text: async () => (await import("../text/text-job.ts")).textJob,
  vector: async () => (await import("../vector/vector-job.ts")).vectorJob,
};

withoutNetwork(scope);

scope.addEventListener("message", async ({ data }: MessageEvent<Question>) => {
  const answer = (message: Answer): void => scope.postMessage(message);
  try {
    const job = (await JOBS[data.job]()) as (input: unknown, onProgress: (progress: never) => void) => unknown;
    answer({ value: await job(data.input, (progress) => answer({ progress })) });
  } catch (error) {
    answer({ error: describeError(error) });
  }
});
