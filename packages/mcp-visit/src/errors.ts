import type { JsonValue } from "@agentprint/canonical-json";
import { type ErrorDetails, ExplainedError } from "@agentprint/findings";
import type { Survivor } from "./survivor.ts";

/** The codes of {@link VisitError}. */
export type VisitErrorCode =
  /** An argument does not have the form that the function accepts. Pass what the message expects. */
  | "invalid-argument"
  /** The target or an option cannot be used, such as a URL that is not HTTP. Correct what the message names. */
  | "invalid-target"
  /** The command of the server cannot be run. Install the program, or correct the command. */
  | "server-not-started"
  /** The URL does not answer like an MCP server. Check the address and the network. */
  | "server-unreachable"
  /**
   * The server requires an authorization that it was not given, or rejects the given one. Log in, or correct the token.
   */
  | "server-unauthorized"
  /** The process of the server ended too early. Run its command by hand and read its error output. */
  | "server-ended"
  /** The server took too long to answer. Try again, or raise the time limit. */
  | "server-timeout"
  /** The server sent data that is not an MCP message, such as text for people on its output. Correct the server. */
  | "server-garbage"
  /**
   * The server answered with a JSON-RPC error, whose code is `rpcCode`. Read its message, and correct the
   * arguments of the server.
   */
  | "server-error"
  /** The server sent more than allowed. Raise the limit if you trust the server with it. */
  | "server-limit"
  /** The server changed while it was read, or contradicted itself. Visit it again; correct it if it happens again. */
  | "server-unstable"
  /** Processes of the server could not be ended. End those that the message lists. */
  | "server-survived"
  /** The signal of the caller ended the visit. Visit again if the result is still wanted. */
  | "aborted";

/** Further facts about a failed visit. */
export interface VisitErrorDetails extends ErrorDetails {
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
}

/**
 * The error of a visit: the failure, its place, the expectation, and the remedy. The texts can quote the server: escape
 * them before they reach a terminal.
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
