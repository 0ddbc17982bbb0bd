import { fromUtf8, sha256Hex } from "#platform";
import { checkArgument } from "./arguments/check-argument.ts";
import { canonicalize } from "./canonicalize.ts";
import { hashCanonical } from "./hash-canonical.ts";
import type { JsonValue } from "./json-value/json-value.ts";
import { type CanonicalizeOptions, resolveOptions } from "./options.ts";
import { decodeText } from "./parse/decode-text.ts";
import { MAX_INPUT_BYTES, type ParseJsonOptions, resolveLimits } from "./parse/limits.ts";
import { parsePlain } from "./parse/parse-plain.ts";
import { parseStepwise } from "./parse/parse-stepwise.ts";
import { rewriteText } from "./rewrite-text.ts";

/**
 * Returns the value of a strict I-JSON text (RFC 8259, RFC 7493 §2): the result of `JSON.parse`, but only for texts
 * that all readers parse alike.
 *
 * It checks first the size, then the encoding of bytes, then that there is no byte order mark, then the text from start
 * to end. The first fault is reported. An own member `__proto__` is data. Nesting never overflows the call stack.
 *
 * @param text - JSON as a string or as UTF-8 bytes.
 * @returns The value, made of plain objects and arrays.
 * @throws {@link CanonicalJsonError} `too-large`, `invalid-utf8`, `bom`, `unexpected-token`, `unexpected-end`, `trailing-data`,
 * `invalid-number`, `number-overflow`, `integer-precision`, `control-character`, `invalid-escape`, `lone-surrogate`,
 * `duplicate-key`, `too-deep` when the text is not strict JSON or exceeds a limit; with line, column and path.
 * @throws {@link CanonicalJsonError} `invalid-option` when an option is unknown, or a limit or the input has a wrong type.
 *
 * @example
 * ```ts
 * import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";
 *
 * console.log(parseJson('{"tools":["read","write"]}')); // { tools: ["read", "write"] }
 * try {
 *   parseJson('{\n  "tools": {"read": 1, "read": 2}\n}');
 * } catch (error) {
 *   if (!(error instanceof CanonicalJsonError)) throw error;
 *   console.log(error.code, error.line, error.column, error.path); // duplicate-key 2 24 /tools/read
 * }
 * ```
 */
export function parseJson(text: string | Uint8Array, options: ParseJsonOptions = {}): JsonValue {
  const limits = resolveLimits(options);
  const decoded = decodeText(text, limits);
  const value = parsePlain(decoded, limits);
  return value === undefined ? parseStepwise(decoded, limits) : value;
}

/**
 * Returns the canonical text of a strict JSON text: calls {@link parseJson}, then {@link canonicalize}.
 *
 * @param text - JSON as a string or as UTF-8 bytes.
 * @param options - The options of both functions; `maxDepth` limits both.
 * @throws {@link CanonicalJsonError} as both functions do.
 *
 * @example
 * ```ts
 * import { canonicalizeJson } from "@agentprint/canonical-json";
 *
 * console.log(canonicalizeJson('{ "b": 1.0, "a": "\\u20ac" }')); // {"a":"€","b":1}
 * ```
 */
export function canonicalizeJson(
  text: string | Uint8Array,
  options: CanonicalizeOptions & ParseJsonOptions = {},
): string {
  const rewritten = rewriteText(text, options, (bytes, isUnchanged) =>
    isUnchanged && typeof text === "string" ? text : fromUtf8(bytes),
  );
  return rewritten ?? canonicalize(parseJson(text, options), options);
}

/**
 * Returns the SHA-256 of the UTF-8 bytes of {@link canonicalizeJson}'s text, as 64 lowercase hex digits. For valid JSON
 * it takes a third to two thirds of the time that {@link parseJson} and `hashCanonical` take.
 *
 * @param text - JSON as a string or as UTF-8 bytes.
 * @param options - As for `canonicalizeJson`.
 * @throws {@link CanonicalJsonError} as `canonicalizeJson` does.
 *
 * @example
 * ```ts
 * import { hashCanonical, hashJson } from "@agentprint/canonical-json";
 *
 * console.log(hashJson('{ "b": 1.0, "a": 2 }') === hashCanonical({ a: 2, b: 1 })); // true
 * ```
 */
export function hashJson(text: string | Uint8Array, options: CanonicalizeOptions & ParseJsonOptions = {}): string {
  return rewriteText(text, options, (bytes) => sha256Hex(bytes)) ?? hashCanonical(parseJson(text, options), options);
}

/**
 * Returns the value of text that {@link canonicalize} wrote: a copy of the original value as JSON represents it. The
 * text may have any size and depth, and may contain the lone surrogates that the `ecmascript` profile escapes. {@link
 * parseJson} reads any other text.
 *
 * @param text - Canonical text of the profile and key order in `options`.
 * @param options - The options with which the text was written.
 * @throws {@link CanonicalJsonError} as `parseJson` does when the text is not canonical or an option is unknown.
 *
 * @example
 * ```ts
 * import { canonicalize, parseCanonical } from "@agentprint/canonical-json";
 *
 * const profile = { profile: "ecmascript" } as const;
 * console.log(parseCanonical(canonicalize({ at: new Date(0) }, profile), profile)); // { at: "1970-01-01T00:00:00.000Z" }
 * ```
 */
export function parseCanonical(text: string, options?: CanonicalizeOptions): JsonValue {
  resolveOptions(options);
  checkArgument("text", text, "string");
  const value = parseNatively(text);
  // V8 13 can misread an escaped name (nodejs/node#63785). Rewriting the value then gives different text.
  const isRead = value !== undefined && (!text.includes("\\") || canonicalize(value, options) === text);
  return isRead ? value : parseJson(text, { maxDepth: Number.POSITIVE_INFINITY, maxBytes: MAX_INPUT_BYTES });
}

function parseNatively(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
