import { escapeJsonText, escapeText } from "@agentprint/canonical-json";

/** The maximum number of UTF-16 units of a text that a message repeats. */
const MAX_QUOTED_LENGTH = 64;

/** Why a {@link TrailError} was thrown. */
export type TrailErrorCode =
  /** An argument does not have the form that the function accepts. Pass what the message expects. */
  | "invalid-argument"
  /** The hash of the last record does not match its content. Verify the chain; do not append to it. */
  | "altered-predecessor"
  /**
   * The proof needs records that were dropped. Prove only records and checkpoints that are not older than the dropped
   * records.
   */
  | "dropped-records"
  /** `prev` belongs to another task. Pass the last record of the same task. */
  | "foreign-predecessor"
  /** The note's text is not a checkpoint. Fetch the checkpoint again. */
  | "invalid-checkpoint"
  /** A hash is not 64 lowercase hex digits. Pass the hash as it was printed. */
  | "invalid-hash"
  /** The index is not a place in a chain of this size. Pass 0 ≤ `index` < `size`. */
  | "invalid-index"
  /**
   * A key's name or seed has a form that notes do not allow. Use a name without white space or `+`, and a seed of 32
   * bytes.
   */
  | "invalid-key"
  /** The text is not a signed note. Fetch it again, with all of its lines. */
  | "invalid-note"
  /** The proof does not have the form of a proof for these sizes. Fetch it again from the log. */
  | "invalid-proof"
  /** A signature with the name and id of a known key was not made by that key. Do not trust the note. */
  | "invalid-signature"
  /** The id or the task of a thought is empty or not a string. Pass both. */
  | "invalid-thought"
  /** `trust.threshold` is not a whole number that the witnesses can reach. Correct the number. */
  | "invalid-threshold"
  /** A time is not a whole number of seconds since 1970, or is out of range. Check the clock or the value. */
  | "invalid-time"
  /** A line has more than 64 MiB. Check that the file is a trail. */
  | "line-too-long"
  /** A line is not a record in strict JSON. Look at its line and column; keep the file as it is for evidence. */
  | "malformed-line"
  /**
   * Fewer witnesses than `trust.threshold` signed the checkpoint. Wait for more signatures, or fetch the note again.
   */
  | "too-few-witnesses"
  /** The file has more than `maxTasks` tasks. Import it in parts, or allow more. */
  | "too-many-tasks"
  /**
   * The last line ends in the middle, as after a crash. The records before it are intact; repair or remove the last
   * line.
   */
  | "truncated-line"
  /** No known key signed the note. Add the log's key after you have checked it. */
  | "unknown-signer"
  /** The checkpoint belongs to another log. Pass the trusted log's checkpoint. */
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
 * The one error class of this package. `code` is the reason; `message` says what failed, what was expected and what was
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

/** Returns `text`, shortened if it is long, as a JSON string whose invisible characters are escaped. */
export function quote(text: string): string {
  return escapeJsonText(
    JSON.stringify(text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH - 3)}...` : text),
  );
}
