import { escapeJsonText, escapeText } from "@agentprint/canonical-json";

/** UTF-16 units of a text that a message repeats. */
const MAX_QUOTED_LENGTH = 64;

/** Why a {@link TrailError} was thrown. */
export type TrailErrorCode =
  | "altered-predecessor"
  | "foreign-predecessor"
  | "invalid-checkpoint"
  | "invalid-hash"
  | "invalid-index"
  | "invalid-key"
  | "invalid-note"
  | "invalid-proof"
  | "invalid-signature"
  | "invalid-thought"
  | "invalid-threshold"
  | "invalid-time"
  | "line-too-long"
  | "malformed-line"
  | "too-few-witnesses"
  | "too-many-tasks"
  | "truncated-line"
  | "unknown-signer"
  | "wrong-origin";

/** The place in the input that a {@link TrailError} is about. */
export interface TrailErrorPlace {
  /** RFC 6901 JSON Pointer into the record; `""` is the record itself. */
  readonly path?: string;
  /** 1-based line of the text. */
  readonly line?: number;
  /** 1-based column of the line, in UTF-16 units. */
  readonly column?: number;
  readonly cause?: unknown;
}

/**
 * The one error of this package. `code` is the reason; `message` says what failed, what was expected and what was
 * received.
 *
 * @example
 * ```ts
 * import { createThought, TrailError } from "@agentprint/trail/chain";
 *
 * try {
 *   createThought({ type: "plan", task_id: "", agent_id: "a", content: "" }, null, { now: "2026-04-01", id: "r1" });
 * } catch (error) {
 *   console.log(error instanceof TrailError && [error.code, error.path]); // ["invalid-thought", "/task_id"]
 * }
 * ```
 */
export class TrailError extends Error {
  override readonly name = "TrailError";
  readonly code: TrailErrorCode;
  readonly path: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(code: TrailErrorCode, message: string, place: TrailErrorPlace = {}) {
    super(escapeText(message), "cause" in place ? { cause: place.cause } : undefined);
    this.code = code;
    this.path = place.path;
    this.line = place.line;
    this.column = place.column;
  }
}

/** `text`, shortened where it is long, as a JSON string whose invisible characters are escaped. */
export function quote(text: string): string {
  return escapeJsonText(
    JSON.stringify(text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH - 3)}...` : text),
  );
}
