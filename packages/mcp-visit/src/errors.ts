/** What a {@link VisitError} can say went wrong. */
export type VisitErrorCode =
  | "invalid-target"
  | "server-not-started"
  | "server-unreachable"
  | "server-ended"
  | "server-timeout"
  | "server-garbage"
  | "server-error"
  | "server-limit"
  | "server-unstable";

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
  readonly cause?: unknown;
}

/** Why a visit did not tell what a server offers: what happened, where, what was expected, and how to fix it. */
export class VisitError extends Error {
  override readonly name = "VisitError";
  readonly code: VisitErrorCode;
  readonly details: VisitErrorDetails;

  constructor(code: VisitErrorCode, message: string, details: VisitErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.details = details;
  }

  /** The same error with what the server wrote to stderr. */
  withServerOutput(serverOutput: string): VisitError {
    return serverOutput === "" ? this : new VisitError(this.code, this.message, { ...this.details, serverOutput });
  }
}
