import type { VerifyTasksOptions } from "@agentprint/trail/chain";
import type { TrustKeys } from "./trust.ts";

/** What a worker is started for: a share of the JSON Lines text on its standard input, or questions about a store. */
export type Job =
  | { readonly share: NonNullable<VerifyTasksOptions["share"]> }
  | { readonly url: string; readonly keys: TrustKeys | undefined };

/** What is asked about a store. A worker closes it and ends when it is asked nothing more. */
export type Question = { readonly taskId: string; readonly length: number } | "structure" | "nothing more";

export type Answer<T> =
  | { readonly value: T }
  | { readonly error: { readonly message: string; readonly code?: string } };
