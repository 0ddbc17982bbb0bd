export type { CanonicalPart } from "./accelerators/canonical-part.ts";
export {
  type ArgumentCheck,
  ArgumentError,
  type ArgumentErrorCode,
  type ArgumentForm,
  argumentCheck,
} from "./arguments/argument-check.ts";
export { typeName } from "./arguments/type-name.ts";
export { canonicalize, canonicalizeToBytes, canonicalText } from "./canonicalize.ts";
export { CanonicalJsonError, type CanonicalJsonErrorCode, type TextPosition } from "./errors.ts";
export { hashCanonical } from "./hash-canonical.ts";
export { isPlainObject } from "./is-plain-object.ts";
export { createJsonHasher, type JsonHasherOptions } from "./json-hasher.ts";
export { deepFreeze } from "./json-value/deep-freeze.ts";
export {
  type DiffJsonOptions,
  diffJson,
  type ElementPair,
  type JsonChange,
  pairByPosition,
} from "./json-value/diff-json.ts";
export { isJsonObject, isObject } from "./json-value/is-object.ts";
export { isSameJson } from "./json-value/is-same-json.ts";
export type { JsonObject, JsonValue } from "./json-value/json-value.ts";
export { ownMember, setOwnMember } from "./json-value/members.ts";
export { fromPointer, type PathSegment, toPointer } from "./json-value/pointer.ts";
export { readCanonical } from "./json-value/read-canonical.ts";
export { keyComparator } from "./key-comparator.ts";
export { LineBuffer, splitLines } from "./lines/line-buffer.ts";
export { locateJson } from "./locate-json.ts";
export type { CanonicalizeOptions, KeyOrder } from "./options.ts";
export type { ParseJsonOptions, Tolerable } from "./parse/limits.ts";
export { canonicalizeJson, hashJson, parseCanonical, parseJson } from "./parse-json.ts";
export { parseText } from "./parse-text.ts";
export { precanonicalize } from "./precanonicalize.ts";
export { createSha256, type Sha256Stream, sha256Hex } from "./sha256.ts";
export type { JsonHasher } from "./stream/piece-hasher.ts";
export { compareCodeUnits } from "./text/compare-code-units.ts";
export { escapeJsonText, escapeText, replaceInvisible } from "./text/escape-text.ts";
export { hashText } from "./text/hash-text.ts";
export { type InvisibleCharacter, invisibleCharacters } from "./text/invisible-characters.ts";
export { isSha256Hex } from "./text/is-sha256-hex.ts";
export { printable } from "./text/printable.ts";
export { sliceWithoutSplittingSurrogates, splitsSurrogates } from "./text/slice-without-splitting-surrogates.ts";
