/** What a {@link CliError} can say went wrong. */
export type CliErrorCode = "usage" | "unreadable-input" | "too-large";

interface CliErrorDetails {
  /** File, line, server or option the error is about. */
  readonly where?: string;
  readonly expected?: string;
  /** What to do about it, in one sentence. */
  readonly fix?: string;
  readonly cause?: unknown;
}

/** An error the command line explains by itself: what, where, expected, and how to fix it. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: CliErrorCode;
  readonly where: string | undefined;
  readonly expected: string | undefined;
  readonly fix: string | undefined;

  constructor(code: CliErrorCode, message: string, details: CliErrorDetails = {}) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.where = details.where;
    this.expected = details.expected;
    this.fix = details.fix;
  }
}
