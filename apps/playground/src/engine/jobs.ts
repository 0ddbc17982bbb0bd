import type { CanonicalInput, CanonicalResult } from "../canonical/canonical-job.ts";
import type { Job, JobError, Progress } from "./job.ts";

/** Every job by its name. */
export interface Jobs {
  readonly canonical: Job<CanonicalInput, CanonicalResult>;
}

/** The name of a job. */
export type JobName = keyof Jobs;

/** What a job takes. */
export type JobInput<Name extends JobName> = Parameters<Jobs[Name]>[0];

/** What a job returns. */
export type JobOutput<Name extends JobName> = Awaited<ReturnType<Jobs[Name]>>;

/** What the worker is asked. */
export interface Question {
  readonly job: JobName;
  readonly input: unknown;
}

/** What the worker answers: progress any number of times, then a value or an error. */
export type Answer = { readonly progress: Progress } | { readonly value: unknown } | { readonly error: JobError };
