import type { CanonicalJsonErrorCode } from "../errors.ts";
import { hasPlainPrototype, hidesBesideMembers, isBrandedEmpty, isOrdinary, returns, tagOf } from "./hidden-content.ts";
import { builtInClasses, isOfPlatform, OPAQUE_CLASS } from "./platform-class.ts";
import type { ValueWriter } from "./value-writer.ts";

/**
 * The functions that write parts. `precanonicalize` sets them when it makes a part, so that programs that make none
 * need not load that code.
 */
export const parts = {
  isPart: (_value: unknown): boolean => false,
  write(_writer: ValueWriter, _part: unknown, _depth: number): void {},
};

type Reject = (code: CanonicalJsonErrorCode, message: string) => never;

const WRAPPERS = [Number, String, Boolean, BigInt];

/**
 * Returns the value that `JSON.stringify` writes in place of a value that is not a string, boolean, number or null: the
 * result of `toJSON`, the primitive in a wrapper object, or `undefined` if it would write nothing. Rejects objects
 * whose content JSON cannot see, because two different ones would share a digest.
 */
export function toPlainValue(value: unknown, key: string | number, strict: boolean, reject: Reject): unknown {
  const plain = applyToJson(value, key);
  if (typeof plain === "object" && plain !== null) {
    return Array.isArray(plain) || isOrdinary(plain) ? plain : unwrap(plain, reject);
  }
  if (typeof plain === "bigint") rejectBigInt(reject);
  if (typeof plain !== "function" && typeof plain !== "symbol") return plain;
  if (strict) reject(typeof plain as "function" | "symbol", `a ${typeof plain} has no JSON form`);
  return undefined;
}

function rejectBigInt(reject: Reject): never {
  return reject("bigint", "a BigInt has no JSON form; pass a string");
}

/**
 * Calls `toJSON` as SerializeJSONProperty in ECMA-262 does: only on objects and BigInts, never on other primitives,
 * whatever they inherit.
 */
function applyToJson(value: unknown, key: string | number): unknown {
  const isAsked = typeof value === "object" ? value !== null : typeof value === "function" || typeof value === "bigint";
  if (!isAsked) return value;
  const toJson: unknown = (value as { toJSON?: unknown }).toJSON;
  if (typeof toJson !== "function" || parts.isPart(value)) return value;
  return toJson.call(value, String(key));
}

/**
 * Refuses an object without members unless it is plain and hides nothing, because instances with different content,
 * whatever their class, would share the digest of `{}`.
 */
export function checkEmpty(value: object, reject: Reject): void {
  if (!hasPlainPrototype(value) || isBrandedEmpty(value)) rejectHidden(value, reject);
}

function rejectHidden(value: object, reject: Reject): never {
  const tag = tagOf(value);
  const owner = tag === "Object" || tag === "" ? "an object without members" : `a ${tag}`;
  return reject(
    "opaque-object",
    `JSON cannot see the content of ${owner}; pass an array or a plain object, or give it a toJSON method`,
  );
}

/**
 * Returns the primitive in a wrapper object as `JSON.stringify` reads it, or any other object unchanged if it hides
 * nothing.
 */
function unwrap(value: object, reject: Reject): unknown {
  const classes = classesOf(value);
  for (const { name, prototype } of WRAPPERS) {
    const primitive = (wrapper: object): unknown => Reflect.apply(prototype.valueOf, wrapper, []);
    // Neither an object's tag nor its class proves that the engine keeps a primitive in it.
    if (!classes.has(name) || !returns(primitive, value)) continue;
    if (name === "BigInt") rejectBigInt(reject);
    if (name === "Number") return +(value as unknown as number);
    return name === "String" ? String(value) : primitive(value);
  }
  if (hidesContent(value, classes)) rejectHidden(value, reject);
  return value;
}

/** Returns whether an object contains more than the members that JSON sees. */
function hidesContent(value: object, classes: ReadonlySet<string>): boolean {
  if (hasPlainPrototype(value)) return hidesBesideMembers(value);
  return ArrayBuffer.isView(value) || [...classes].some((name) => OPAQUE_CLASS.test(name) || isOfPlatform(value, name));
}

/**
 * Returns a value's tag, which may be false, and the built-in classes, of this and other realms, from which the value
 * inherits.
 */
function classesOf(value: object): Set<string> {
  const classes = new Set([tagOf(value)]);
  let prototype = Object.getPrototypeOf(value) as object | null;
  while (prototype !== null && prototype !== Object.prototype) {
    const tag: unknown = Object.getOwnPropertyDescriptor(prototype, Symbol.toStringTag)?.value;
    const name = builtInClasses().get(prototype) ?? tag;
    if (typeof name === "string") classes.add(name);
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return classes;
}
