import { CanonicalJsonError, escapeText } from "@agentprint/canonical-json";
import { SpecError } from "@agentprint/drover";
import { McpLockError } from "@agentprint/mcp-lock";
import { TrailError } from "@agentprint/trail/chain";
import { TrailStoreError } from "@agentprint/trail-store";

/** Why an {@link McpServerError} was thrown. */
export type McpServerErrorCode =
  /**
   * The thought names a different agent than its token or the configuration. Leave `agent_id` out, or use that agent's
   * token.
   */
  | "AGENT_MISMATCH"
  /** The call names no agent as the author of the thought. Pass `agent_id`, or make the client send its name. */
  | "AGENT_UNKNOWN"
  /** Answers that wait for clients take all the memory, and nothing was done. Call again after a second. */
  | "ANSWERS_WAIT"
  /** The client cancelled the call before anything was done. Call again if the result is still wanted. */
  | "CANCELLED"
  /** The content looks like a recorder's event, which only a recorder may write. Say it in words. */
  | "CONTENT_IS_ENVELOPE"
  /** The content has more UTF-16 units than the limit in the message. Shorten it, or split it into several thoughts. */
  | "CONTENT_TOO_LARGE"
  /** An argument does not match the tool's schema. Correct the argument that the message names. */
  | "INVALID_ARGUMENT"
  /**
   * One of the server's settings is missing or wrong, so the server does not start. Correct the settings that the
   * message names.
   */
  | "INVALID_CONFIGURATION"
  /**
   * The setting that names the lock file is missing, or the file cannot be read. Name a lock file that the server can
   * read.
   */
  | "LOCK_UNREADABLE"
  /** The token has reached its storage quota, and nothing was recorded. Ask the operator for a larger quota. */
  | "QUOTA_EXCEEDED"
  /** The token does not give access to this task. Use a token that includes the task, or use another task. */
  | "TASK_FORBIDDEN"
  /** The task has no records. Check the name of the task. */
  | "TASK_NOT_FOUND"
  /** There is no record with this id, or the caller may not see it. Check the id. */
  | "THOUGHT_NOT_FOUND"
  /** There is no such token, or it has already been revoked. List the tokens to find its id. */
  | "TOKEN_NOT_FOUND"
  /** The caller has made more calls than the limit allows. Wait as many seconds as the message states. */
  | "TOO_MANY_CALLS";

/** The server's only error class. A tool answers with the error's code and message. */
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

/** Returns whether a package threw an error on purpose, so that its message reveals nothing about the machine. */
export function isKnownError(error: unknown): error is KnownError {
  return KNOWN.some((known) => error instanceof known);
}
