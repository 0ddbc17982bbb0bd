import type { TrustKeys } from "./trust.ts";

/** The bytes of a file from `from` to `to`, which are complete lines. */
export interface FilePart {
  /**
   * The descriptor, which the threads of a process share, so that all parts are of one file even if the path is
   * replaced.
   */
  readonly file: number;
  readonly from: number;
  readonly to: number;
}

/** The job of a worker: a part of a JSON Lines file, or questions about a store. */
export type Job = { readonly part: FilePart } | { readonly url: string; readonly keys: TrustKeys | undefined };

/** A question about a store. */
export type Question = { readonly taskId: string; readonly length: number } | "structure";

/** A message to a worker. On `part`, it verifies its part of a file; on `nothing more`, it closes the store and ends. */
export type Message = Question | "part" | "nothing more";

/** A message of a worker; `read` is the number of further bytes of its part that it has verified. */
export type Answer<T> =
  | { readonly read: number }
  | { readonly value: T }
  | { readonly error: { readonly message: string; readonly code?: string } };
