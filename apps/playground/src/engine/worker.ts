/// <reference lib="webworker" />
// The worker in which every tool computes, so that the page stays responsive and a long computation can be ended.

import type { Answer, JobName, Jobs, Question } from "../jobs/jobs.ts";
import { describeError } from "./describe-error.ts";
import { withoutNetwork } from "./without-network.ts";

const scope = self as unknown as DedicatedWorkerGlobalScope;

/** Each job is loaded when it is first requested. */
const JOBS: { readonly [Name in JobName]: () => Promise<Jobs[Name]> } = {
  canonical: async () => (await import("../jobs/canonical-job.ts")).canonicalJob,
  compare: async () => (await import("../jobs/compare-job.ts")).compareJob,
  schemas: async () => (await import("../jobs/schemas-job.ts")).schemasJob,
  trail: async () => (await import("../jobs/trail-job.ts")).trailJob,
  rows: async () => (await import("../jobs/rows-job.ts")).rowsJob,
  proof: async () => (await import("../jobs/proof-job.ts")).proofJob,
  givenProof: async () => (await import("../jobs/proof-job.ts")).givenProofJob,
  consistency: async () => (await import("../jobs/consistency-job.ts")).consistencyJob,
  statement: async () => (await import("../jobs/statement-job.ts")).statementJob,
  text: async () => (await import("../jobs/text-job.ts")).textJob,
  vector: async () => (await import("../jobs/vector-job.ts")).vectorJob,
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
