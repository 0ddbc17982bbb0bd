import type { JsonValue } from "@agentprint/canonical-json";
import type { Survivor } from "./process/survivor.ts";

/**
 * The codes of {@link VisitError}.
 *
 * - `invalid-target`: the target or an option cannot be used
 * - `server-not-started`: the command of the server cannot be run
 * - `server-unreachable`: the URL does not answer as an MCP server does
 * - `server-ended`: the process of the server ended too early
 * - `server-timeout`: the server took too long
 * - `server-garbage`: the server sent data that is no message of MCP
 * - `server-error`: the server answered with an error
 * - `server-limit`: the server sent more than allowed
 * - `server-unstable`: the server changed while it was read, or contradicted itself
 * - `server-survived`: processes of the server could not be ended
 * - `aborted`: the caller ended the visit
 */
export type VisitErrorCode =
  | "invalid-target"
  | "server-not-started"
  | "server-unreachable"
  | "server-unauthorized"
  | "server-ended"
  | "server-timeout"
  | "server-garbage"
  | "server-error"
  | "server-limit"
  | "server-unstable"
  | "server-survived"
  | "aborted";

/** Further facts about a failed visit. */
export interface VisitErrorDetails {
  /** The place of the fault. */
  readonly where?: string | undefined;
  readonly expected?: string | undefined;
  /** One sentence that says how to correct the fault. */
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
 * The error of a visit: what happened, where, what was expected, and how to correct it. The texts can quote the server:
 * escape them before they reach a terminal.
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
