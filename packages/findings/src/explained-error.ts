/** The details of an {@link ExplainedError}, each of which is text for people. */
export interface ErrorDetails {
  /** The file, line, server, address or option that the error is about. */
  readonly where?: string | undefined;
  readonly expected?: string | undefined;
  /** One sentence that says how to fix the problem. */
  readonly fix?: string | undefined;
  readonly cause?: unknown;
}

/**
 * An error that explains itself: its code and its message say what happened, and its `details` say where, what was
 * expected and how to fix it. Its texts can quote input, so escape them before they reach a terminal.
 *
 * @example
 * ```ts
 * import { ExplainedError } from "@agentprint/findings";
 *
 * const error = new ExplainedError("not-found", "the file is gone", { where: "a.json", fix: "Restore it." });
 * console.log(error.code, error.details.where); // not-found a.json
 * ```
 */
export class ExplainedError<Code extends string = string, Details extends ErrorDetails = ErrorDetails> extends Error {
  override readonly name: string = "ExplainedError";
  readonly code: Code;
  readonly details: Details;

  constructor(code: Code, message: string, details: Details) {
    super(message, { cause: details.cause });
    this.code = code;
    this.details = details;
  }
}
