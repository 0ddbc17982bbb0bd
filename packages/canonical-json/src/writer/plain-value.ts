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

const WRAPPERS = { Number, String, Boolean, BigInt };
/** The name of each class whose instances JSON does not take as plain objects, by prototype. */
const NAMES = new Map<unknown, string>(
  [...OPAQUE_TYPES, ...Object.values(WRAPPERS)].map(({ name, prototype }) => [prototype, name]),
);
const BIGINT_MESSAGE = "a BigInt has no JSON form; pass a string or a number";

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
  if (typeof plain === "bigint") return reject("bigint", BIGINT_MESSAGE);
  if (typeof plain === "function" || typeof plain === "symbol") {
    if (strict) reject(typeof plain as "function" | "symbol", `a ${typeof plain} has no JSON form`);
    return undefined;
  }
  return plain;
}

/** As ECMA-262 SerializeJSONProperty: objects and BigInts are asked, other primitives never, whatever they inherit. */
function applyToJson(value: unknown, key: string | number): unknown {
  const isAsked = typeof value === "object" ? value !== null : typeof value === "function" || typeof value === "bigint";
  if (!isAsked) return value;
  const toJson: unknown = (value as { toJSON?: unknown }).toJSON;
  if (typeof toJson !== "function" || value instanceof CanonicalPart) return value;
  return toJson.call(value, String(key));
}

function unwrap(value: object, reject: Reject): unknown {
  const tag = tagOf(value);
  const name = nameOf(value);
  if (OPAQUE_TAGS.has(tag) || OPAQUE_TAGS.has(name)) {
    reject("opaque-object", `the content of a ${tag} is invisible to JSON; convert it to an array or a plain object`);
  }
  // The tag tells wrappers of other realms, the class those that have another tag.
  if (isWrapper("Number", value, tag, name)) return +(value as unknown as number);
  if (isWrapper("String", value, tag, name)) return String(value);
  if (isWrapper("Boolean", value, tag, name)) return Boolean.prototype.valueOf.call(value);
  if (isWrapper("BigInt", value, tag, name)) return reject("bigint", BIGINT_MESSAGE);
  return value;
}

function tagOf(value: object): string {
  const tag = Object.prototype.toString.call(value);
  return tag === "[object Object]" ? "Object" : tag.slice(8, -1);
}

/** The class that a value inherits from, if it is one that matters. */
function nameOf(value: object): string {
  let prototype: unknown = Object.getPrototypeOf(value);
  while (prototype !== null && prototype !== Object.prototype) {
    const name = NAMES.get(prototype);
    if (name !== undefined) return name;
    prototype = Object.getPrototypeOf(prototype);
  }
  return "";
}

/** Whether the engine keeps a primitive in an object, which neither its tag nor its class proves. */
function isWrapper(type: keyof typeof WRAPPERS, value: object, tag: string, name: string): boolean {
  if (tag !== type && name !== type) return false;
  try {
    Reflect.apply(WRAPPERS[type].prototype.valueOf, value, []);
    return true;
  } catch {
    return false;
  }
}
