import { CanonicalJsonError, escapeText } from "@agentprint/canonical-json";
import { SpecError } from "@agentprint/drover";
import { McpLockError } from "@agentprint/mcp-lock";
import { TrailError } from "@agentprint/trail/chain";
import { TrailStoreError } from "@agentprint/trail-store";

/** Why an {@link McpServerError} was thrown. */
export type McpServerErrorCode =
  | "AGENT_MISMATCH"
  | "AGENT_UNKNOWN"
  | "CANCELLED"
  | "CONTENT_IS_ENVELOPE"
  | "CONTENT_TOO_LARGE"
  | "INVALID_ARGUMENT"
  | "INVALID_CONFIGURATION"
  | "LOCK_UNREADABLE"
  | "QUOTA_EXCEEDED"
  | "TASK_FORBIDDEN"
  | "TASK_NOT_FOUND"
  | "THOUGHT_NOT_FOUND"
  | "TOKEN_NOT_FOUND"
  | "TOO_MANY_CALLS";

/** The one error class of the server. A tool answers with its code and message. */
export class McpServerError extends Error {
  override readonly name = "McpServerError";
  readonly code: McpServerErrorCode;

  constructor(code: McpServerErrorCode, message: string, options?: ErrorOptions) {
    super(escapeText(message), options);
    this.code = code;
  }
}

/** An error with a code and a message that a client may read. */
export interface KnownError extends Error {
  readonly code: string;
}

const KNOWN = [McpServerError, TrailStoreError, TrailError, SpecError, McpLockError, CanonicalJsonError];

/** Whether an error is one that the packages throw on purpose, so that its message holds nothing of the machine. */
export function isKnownError(error: unknown): error is KnownError {
  return KNOWN.some((known) => error instanceof known);
}
