import { ClientConfigError } from "@agentprint/client-configs/errors";
import { AuthError } from "@agentprint/mcp-auth/errors";
import { VisitError } from "@agentprint/mcp-visit/errors";

/** The code of a {@link CliError}. */
export type CliErrorCode =
  | "usage"
  | "unreadable-input"
  | "unwritable-output"
  | "too-large"
  | "server-garbage"
  | "server-secrets"
  | "secret-inside"
  | "server-unstable"
  | "invalid-config"
  | "missing-variable"
  | "missing-lock"
  | "lock-busy"
  | "already-pinned"
  | "not-reviewed"
  | "launch-changed"
  | "login-moved"
  | "launch-loads-code"
  | "not-covered"
  | "no-integrity"
  | "invalid-report"
  | "git-failed"
  | "registry-failed"
  | "statement-refused"
  | "rolled-back"
  | "forked"
  | "ended";

interface CliErrorDetails {
  /** File, line, server or option the error is about. */
  readonly where?: string | undefined;
  readonly expected?: string | undefined;
  /** The remedy, in one sentence. */
  readonly fix?: string | undefined;
  readonly cause?: unknown;
}

/** An error the command line explains by itself: what, where, expected, and how to fix it. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: CliErrorCode;
  readonly details: CliErrorDetails;

  constructor(code: CliErrorCode, message: string, details: CliErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.details = details;
  }
}

/** An error that explains itself: its details say where it is, what was expected, and how to correct it. */
export type ExplainedError = CliError | ClientConfigError | AuthError | VisitError;

/** Whether an error explains itself; any other one is a defect, or an error of the system. */
export function isExplained(error: unknown): error is ExplainedError {
  return [CliError, ClientConfigError, AuthError, VisitError].some((kind) => error instanceof kind);
}

/** Returns the message of a failed call. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether a call failed because there is no such file. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
