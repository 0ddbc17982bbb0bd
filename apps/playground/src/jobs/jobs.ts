import type { CanonicalInput, CanonicalResult } from "./canonical-job.ts";
import type { CompareInput, CompareResult } from "./compare-job.ts";
import type { ConsistencyInput, ConsistencyResult } from "./consistency-job.ts";
import type { Job, JobError, Progress } from "./job.ts";
import type { GivenProofInput, GivenProofResult, ProofInput, ProofResult } from "./proof-job.ts";
import type { RowsInput, TrailRow } from "./rows-job.ts";
import type { SchemasInput, SchemasResult } from "./schemas-job.ts";
import type { StatementInput, StatementResult } from "./statement-job.ts";
import type { TextInput, TextResult } from "./text-job.ts";
import type { TrailInput, TrailResult } from "./trail-job.ts";
import type { VectorInput, VectorResult } from "./vector-job.ts";

/** All jobs by name. */
export interface Jobs {
  readonly canonical: Job<CanonicalInput, CanonicalResult>;
  readonly compare: Job<CompareInput, CompareResult>;
  readonly schemas: Job<SchemasInput, SchemasResult>;
  readonly trail: Job<TrailInput, TrailResult>;
  /** Returns rows of the trail that was verified last. */
  readonly rows: Job<RowsInput, readonly TrailRow[]>;
  /** Returns a proof from the trail that was verified last. */
  readonly proof: Job<ProofInput, ProofResult>;
  readonly givenProof: Job<GivenProofInput, GivenProofResult>;
  readonly consistency: Job<ConsistencyInput, ConsistencyResult>;
  readonly statement: Job<StatementInput, StatementResult>;
  readonly text: Job<TextInput, TextResult>;
  readonly vector: Job<VectorInput, VectorResult>;
}

/** The name of a job. */
export type JobName = keyof Jobs;

/** The input of a job. */
export type JobInput<Name extends JobName> = Parameters<Jobs[Name]>[0];

/** The output of a job. */
export type JobOutput<Name extends JobName> = Awaited<ReturnType<Jobs[Name]>>;

/** A request to the worker. */
export interface Question {
  readonly job: JobName;
  readonly input: unknown;
}

/** A response from the worker, which sends progress any number of times, and then a value or an error. */
export type Answer = { readonly progress: Progress } | { readonly value: unknown } | { readonly error: JobError };
