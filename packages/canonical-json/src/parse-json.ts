import { canonicalize } from "./canonicalize.ts";
import type { CanonicalizeOptions } from "./options.ts";
import { decodeText } from "./parse/decode-text.ts";
import { type ParseJsonOptions, resolveLimits } from "./parse/limits.ts";
import { parsePlain } from "./parse/parse-plain.ts";
import { parseStepwise } from "./parse/parse-stepwise.ts";
import type { JsonValue } from "./parse/value.ts";

export type { JsonValue, ParseJsonOptions };

/**
 * The value of a strict I-JSON text (RFC 8259, RFC 7493 §2): what `JSON.parse` returns, for texts that mean one thing only.
 *
 * The size is checked first, then the encoding of bytes, then a byte order mark; the first offence in the order of the
 * text follows. An own member `__proto__` is data. Nesting never overflows the call stack.
 *
 * @param text - JSON as a string or as UTF-8 bytes
 * @returns the value, made of plain objects and arrays
 * @throws {@link CanonicalJsonError} with line, column and path, `code` one of `"too-large"`, `"invalid-utf8"`, `"bom"`,
 * `"unexpected-token"`, `"unexpected-end"`, `"trailing-data"`, `"invalid-number"`, `"number-overflow"`,
 * `"integer-precision"`, `"control-character"`, `"invalid-escape"`, `"lone-surrogate"`, `"duplicate-key"`, `"too-deep"`;
 * `"invalid-option"` for a limit or input of the wrong type
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
 * The canonical text of a strict JSON text: {@link parseJson}, then {@link canonicalize}.
 *
 * @param text - JSON as a string or as UTF-8 bytes
 * @param options - those of both functions; `maxDepth` counts for both
 * @throws {@link CanonicalJsonError} as the two functions do
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
  return canonicalize(parseJson(text, options), options);
}
