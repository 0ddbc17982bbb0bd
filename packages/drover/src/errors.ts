import { CanonicalJsonError, type CanonicalJsonErrorCode, escapeText } from "@agentprint/canonical-json";

/** What a {@link SpecError} can say is wrong with a spec: its own codes, and those of a value that has no JSON form. */
export type SpecErrorCode =
  | "invalid-spec"
  | "missing-system-prompt"
  | "invalid-plugins"
  | "unknown-coverage"
  | CanonicalJsonErrorCode;

/**
 * A spec that cannot be hashed: no system prompt, a cycle, a bigint, a value whose content JSON cannot see.
 *
 * `code` is the reason and `path` the RFC 6901 JSON Pointer of the offending value in the spec.
 *
 * @example
 * ```ts
 * import { hashSpec, SpecError } from "@agentprint/drover";
 *
 * try {
 *   hashSpec({ id: "writer", systemPrompt: "Write.", quota: { tokens: 10n } });
 * } catch (error) {
 *   console.log(error instanceof SpecError && `${error.code} ${error.path}`); // "bigint /quota/tokens"
 * }
 * ```
 */
export class SpecError extends TypeError {
  override readonly name = "SpecError";
  readonly code: SpecErrorCode;
  /** RFC 6901 JSON Pointer into the spec; `""` is the root. */
  readonly path: string;

  constructor(code: SpecErrorCode, path: string, message: string, options?: ErrorOptions) {
    super(escapeText(message), options);
    this.code = code;
    this.path = path;
  }
}

/** The {@link SpecError} for what hashing a spec threw. */
export function toSpecError(error: unknown): SpecError {
  if (error instanceof SpecError) return error;
  if (error instanceof CanonicalJsonError) {
    return new SpecError(error.code, error.path, `spec cannot be hashed: ${error.message}`, { cause: error });
  }
  if (error instanceof RangeError) {
    return new SpecError("too-deep", "", "spec cannot be hashed: it is nested deeper than JSON.stringify can follow", {
      cause: error,
    });
  }
  return new SpecError("unreadable", "", `spec cannot be hashed: reading it threw ${messageOf(error)}`, {
    cause: error,
  });
}

/** What something that was thrown says: errors, tagged objects with a message, and anything else. */
export function messageOf(thrown: unknown): string {
  try {
    return String(typeof thrown === "object" && thrown !== null && "message" in thrown ? thrown.message : thrown);
  } catch {
    return "something that has no text";
  }
}
