import type { JsonValue } from "@agentprint/canonical-json";
import { type ErrorDetails, ExplainedError } from "@agentprint/findings";
import type { Survivor } from "./survivor.ts";

/** The codes of {@link VisitError}. */
export type VisitErrorCode =
  /** An argument does not have the form that the function accepts. Pass what the message expects. */
  | "invalid-argument"
  /** The target or an option cannot be used; an example is a URL that is not HTTP. Correct what the message names. */
  | "invalid-target"
  /** The server's command cannot be run. Install the program, or correct the command. */
  | "server-not-started"
  /** The URL does not answer like an MCP server. Check the address and the network. */
  | "server-unreachable"
  /** The server requires authorization and received none, or rejects what it received. Log in, or correct the token. */
  | "server-unauthorized"
  /** The server's process ended too early. Run its command by hand and read its error output. */
  | "server-ended"
  /** The server took too long to answer. Try again, or raise the time limit. */
  | "server-timeout"
  /** The server sent data that is not an MCP message, such as text for people on its output. Correct the server. */
  | "server-garbage"
  /**
   * The server answered with a JSON-RPC error, whose code is `rpcCode`. Read its message, and correct the server's
   * arguments.
   */
  | "server-error"
  /** The server sent more than allowed. Raise the limit if you trust the server. */
  | "server-limit"
  /**
   * The server changed while it was being read, or contradicted itself. Visit the server again; if the error persists,
   * correct the server.
   */
  | "server-unstable"
  /** Some of the server's processes could not be ended. End the processes that the message lists. */
  | "server-survived"
  /** The caller's signal ended the visit. Visit again if you still need the result. */
  | "aborted";

/** Further details of a failed visit. */
export interface VisitErrorDetails extends ErrorDetails {
  /** The end of the failed server's output to stderr. */
  readonly serverOutput?: string | undefined;
  /** The JSON-RPC error code that the server answered with. */
  readonly rpcCode?: number | undefined;
  /** The `data` of that error. */
  readonly rpcData?: JsonValue | undefined;
  /** The status of the HTTP response that the error is about. */
  readonly httpStatus?: number | undefined;
  /** The server's processes that could not be ended. */
  readonly survivors?: readonly Survivor[] | undefined;
}

/**
 * The error that a failed visit throws: the failure, its place, what was expected, and the remedy. Its texts can quote
 * the server: escape them before they reach a terminal.
 */
export class VisitError extends ExplainedError<VisitErrorCode, VisitErrorDetails> {
  override readonly name = "VisitError";

  constructor(code: VisitErrorCode, message: string, details: VisitErrorDetails = {}) {
    super(code, message, details);
  }

  /** Returns the same error with more details. */
  with(details: VisitErrorDetails): VisitError {
    return new VisitError(this.code, this.message, { ...this.details, ...details });
  }
}
