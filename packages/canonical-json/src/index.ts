export { createSha256, type Sha256Stream, sha256Hex } from "#sha256";
export { canonicalize, canonicalizeToBytes, hashCanonical } from "./canonicalize.ts";
export { CanonicalJsonError, type CanonicalJsonErrorCode, type TextPosition } from "./errors.ts";
export { type KeyOrder, keyComparator } from "./key-order.ts";
export { locateJson } from "./locate-json.ts";
export type { CanonicalizeOptions } from "./options.ts";
export { canonicalizeJson, type JsonValue, type ParseJsonOptions, parseJson } from "./parse-json.ts";
export { type PathSegment, toPointer } from "./pointer.ts";
export { printable } from "./printable.ts";
