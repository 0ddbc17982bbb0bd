import type { JsonValue } from "@agentprint/canonical-json";
import type { Survivor } from "./process/survivor.ts";

/**
 * What a {@link VisitError} can say went wrong.
 *
 * - `invalid-target`: the target or an option cannot be used
 * - `server-not-started`: its command cannot be run
 * - `server-unreachable`: its URL does not answer as an MCP server does
 * - `server-ended`: its process ended too early
 * - `server-timeout`: it took too long
 * - `server-garbage`: it sent what is no message of MCP
 * - `server-error`: it answered with an error
 * - `server-limit`: it sent more than allowed
 * - `server-unstable`: it changed while it was read, or contradicted itself
 * - `server-survived`: processes that it started could not be ended
 * - `aborted`: the visit was called off
 */
export type VisitErrorCode =
  | "invalid-target"
  | "server-not-started"
  | "server-unreachable"
  | "server-ended"
  | "server-timeout"
  | "server-garbage"
  | "server-error"
  | "server-limit"
  | "server-unstable"
  | "server-survived"
  | "aborted";

/** What else is known of a failed visit. */
export interface VisitErrorDetails {
  /** The place the error is about. */
  readonly where?: string | undefined;
  readonly expected?: string | undefined;
  /** What to do about it, in one sentence. */
  readonly fix?: string | undefined;
  /** The end of what a failed server wrote to stderr. */
  readonly serverOutput?: string | undefined;
  /** JSON-RPC error code that a server answered with. */
  readonly rpcCode?: number | undefined;
  /** The `data` of that error. */
  readonly rpcData?: JsonValue | undefined;
  /** Status of the HTTP response that the error is about. */
  readonly httpStatus?: number | undefined;
  /** Processes of the server that could not be ended. */
  readonly survivors?: readonly Survivor[] | undefined;
  readonly cause?: unknown;
}

/**
 * Why a visit did not tell what a server offers: what happened, where, what was expected, and how to fix it. The texts
 * can quote the server: escape them before they reach a terminal.
 */
export class VisitError extends Error {
  override readonly name = "VisitError";
  readonly code: VisitErrorCode;
  readonly details: VisitErrorDetails;

  constructor(code: VisitErrorCode, message: string, details: VisitErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.details = details;
  }

  /** The same error with more details. */
  with(details: VisitErrorDetails): VisitError {
    return new VisitError(this.code, this.message, { ...this.details, ...details });
  }
}
