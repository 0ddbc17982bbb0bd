import { type ContentHashService, createContentHashService } from "../content-hash-service.ts";
import { ContentHashError } from "../errors.ts";
import { parseArguments } from "./parse-arguments.ts";
import { type CodeHashNormalizedResult, fail, succeed } from "./result.ts";

/** How to run the tool. */
export interface CodeHashNormalizedOptions {
  /** Computes every hash. Default: level `whitespace`. */
  readonly service?: ContentHashService | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Longest content in UTF-8 bytes. Default 8 MiB. */
  readonly maxBytes?: number | undefined;
}

const DEFAULT_MAX_BYTES = 8 * 1024 * 1024;
/** JSON may write one byte of content in six characters. */
const CHARACTERS_A_BYTE = 6;
const METADATA_ALLOWANCE = 64 * 1024;

/**
 * Runs `code_hash_normalized` on the arguments that a model wrote. It never rejects: an error is a result with its code.
 *
 * Specification: 2.1, 4, 6.
 *
 * @example
 * ```ts
 * import { executeCodeHashNormalized } from "@agentprint/content-hash";
 *
 * const result = await executeCodeHashNormalized('{"content":"a\\r\\n b","label":"pre-patch"}');
 * console.log(result.success, result.contentLength, result.label); // true 5 pre-patch
 * ```
 */
export async function executeCodeHashNormalized(
  argumentsJson: string | null,
  options: CodeHashNormalizedOptions = {},
): Promise<CodeHashNormalizedResult> {
  const { service = createContentHashService(), signal, maxBytes = DEFAULT_MAX_BYTES } = options;
  if (signal?.aborted) return fail("CANCELLED", "code_hash_normalized execution was cancelled before processing.");
  if (argumentsJson === null || argumentsJson === undefined || /^\p{White_Space}*$/u.test(argumentsJson)) {
    return fail("MISSING_ARGUMENTS", "code_hash_normalized requires a non-empty JSON arguments payload.");
  }
  const tooLarge = `code_hash_normalized accepts at most ${maxBytes} bytes of content. Hash it in smaller parts.`;
  // Refused before it is parsed: parsing could need many times as much memory.
  if (argumentsJson.length > maxBytes * CHARACTERS_A_BYTE + METADATA_ALLOWANCE) {
    return fail("CONTENT_TOO_LARGE", tooLarge);
  }
  const parsed = parseArguments(argumentsJson);
  if (parsed === undefined) {
    return fail("DESERIALIZATION_ERROR", "Unable to deserialize code_hash_normalized arguments.");
  }
  const { content } = parsed;
  if (content === null) {
    const message =
      "code_hash_normalized requires a 'content' field. The field may be an empty string but it must be present.";
    return fail("MISSING_CONTENT", message, parsed);
  }
  if (typeof content !== "string") {
    const message = `code_hash_normalized requires 'content' to be a string; received ${kindOf(content)}.`;
    return fail("INVALID_CONTENT", message, parsed);
  }
  const contentLength = utf8Length(content);
  if (contentLength > maxBytes) return fail("CONTENT_TOO_LARGE", tooLarge, parsed);
  try {
    return succeed(service.computeTextHash(content), contentLength, parsed);
  } catch (error) {
    if (error instanceof ContentHashError && error.code === "MALFORMED_TEXT") {
      return fail("MALFORMED_TEXT", error.message, parsed);
    }
    return fail("UNEXPECTED_ERROR", "code_hash_normalized failed to process arguments.", parsed);
  }
}

function kindOf(content: unknown): string {
  return Array.isArray(content) ? "an array" : typeof content;
}

/** Bytes of the UTF-8 encoding; a lone surrogate counts as the three of U+FFFD. */
function utf8Length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    length += unit < 0x800 ? 1 : 2;
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(index + 1);
      // A pair is four bytes for its two units.
      if (next >= 0xdc00 && next <= 0xdfff) index++;
    }
  }
  return length;
}
