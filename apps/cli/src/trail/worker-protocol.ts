import type { VerifyTasksOptions } from "@agentprint/trail/chain";
import type { TrustKeys } from "./trust.ts";

/** The job of a worker: a share of the JSON Lines text on its standard input, or questions about a store. */
export type Job =
  | { readonly share: NonNullable<VerifyTasksOptions["share"]> }
  | { readonly url: string; readonly keys: TrustKeys | undefined };

/** A question about a store. On `nothing more`, the worker closes the store and ends. */
export type Question = { readonly taskId: string; readonly length: number } | "structure" | "nothing more";

export type Answer<T> =
  | { readonly value: T }
  | { readonly error: { readonly message: string; readonly code?: string } };
