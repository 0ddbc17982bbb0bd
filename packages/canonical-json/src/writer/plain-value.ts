import type { CanonicalJsonErrorCode } from "../errors.ts";
import { CanonicalPart } from "./canonical-part.ts";

type Reject = (code: CanonicalJsonErrorCode, message: string) => never;

const OPAQUE_TYPES = [
  ArrayBuffer,
  DataView,
  Error,
  Map,
  Object.getPrototypeOf(Uint8Array) as Uint8ArrayConstructor,
  Promise,
  RegExp,
  Set,
  WeakMap,
  WeakRef,
  WeakSet,
];
const OPAQUE_TAGS = new Set([
  ...OPAQUE_TYPES.map((type) => type.name),
  "BigInt64Array",
  "BigUint64Array",
  "Float16Array",
  "Float32Array",
  "Float64Array",
  "Int8Array",
  "Int16Array",
  "Int32Array",
  "SharedArrayBuffer", // browsers hide the constructor from pages that are not isolated
  "Uint8Array",
  "Uint8ClampedArray",
  "Uint16Array",
  "Uint32Array",
]);

/**
 * What `JSON.stringify` sees in place of a value that is no string, boolean, number or null: the result of `toJSON`,
 * the primitive in a wrapper object, or `undefined` where it would write nothing. Objects whose content JSON cannot
 * see are rejected, because two different ones would share a digest.
 */
export function toPlainValue(value: unknown, key: string | number, strict: boolean, reject: Reject): unknown {
  const plain = applyToJson(value, key);
  if (typeof plain === "object" && plain !== null) {
    if (Array.isArray(plain)) return plain;
    const prototype: unknown = Object.getPrototypeOf(plain);
    return prototype === Object.prototype || prototype === null ? plain : unwrap(plain, reject);
  }
  if (typeof plain === "bigint") return reject("bigint", "a BigInt has no JSON form; pass a string or a number");
  if (typeof plain === "function" || typeof plain === "symbol") {
    if (strict) reject(typeof plain as "function" | "symbol", `a ${typeof plain} has no JSON form`);
    return undefined;
  }
  return plain;
}

function applyToJson(value: unknown, key: string | number): unknown {
  if (value === undefined || value === null) return value;
  const toJson: unknown = (value as { toJSON?: unknown }).toJSON;
  if (typeof toJson !== "function" || value instanceof CanonicalPart) return value;
  return toJson.call(value, String(key));
}

function unwrap(value: object, reject: Reject): unknown {
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (OPAQUE_TAGS.has(tag) || OPAQUE_TYPES.some((type) => value instanceof type)) {
    reject("opaque-object", `the content of a ${tag} is invisible to JSON; convert it to an array or a plain object`);
  }
  if (value instanceof Number) return Number(value);
  if (value instanceof String) return String(value);
  if (value instanceof Boolean) return Boolean.prototype.valueOf.call(value);
  if (value instanceof BigInt) reject("bigint", "a BigInt has no JSON form; pass a string or a number");
  return value;
}
