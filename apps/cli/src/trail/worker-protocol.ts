import type { LineBatch } from "@agentprint/trail/chain";
import type { TrustKeys } from "./trust.ts";

/** The job of a worker: lines of a JSON Lines text, or questions about a store. */
export type Job = "lines" | { readonly url: string; readonly keys: TrustKeys | undefined };

/** A question about a store. */
export type Question = { readonly taskId: string; readonly length: number } | "structure";

/** A message to a worker. On `nothing more`, it answers with its report on the lines, or closes the store and ends. */
export type Message = Question | LineBatch | "nothing more";

/** A message of a worker; `taken` are the bytes of the lines that it has verified, given back. */
export type Answer<T> =
  | { readonly taken: LineBatch["bytes"] }
  | { readonly value: T }
  | { readonly error: { readonly message: string; readonly code?: string } };
