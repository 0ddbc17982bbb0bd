import type { CanonicalJsonErrorCode } from "../errors.ts";
import { hasPlainPrototype, hidesBesideMembers, isBrandedEmpty, isOrdinary, returns, tagOf } from "./hidden-content.ts";
import { isOfPlatform } from "./platform-class.ts";
import type { Writer } from "./writer.ts";

/** How parts are written, which `precanonicalize` sets when it makes one: who makes none need not load what writes them. */
export const parts = {
  isPart: (_value: unknown): boolean => false,
  write(_writer: Writer, _part: unknown, _depth: number): void {},
};

type Reject = (code: CanonicalJsonErrorCode, message: string) => never;

/** Classes of ECMA-262 whose instances keep what they hold where JSON does not look, with or without members. */
const OPAQUE_CLASS =
  /^(?:(?:Shared)?ArrayBuffer|(?:Big)?(?:Int|Uint|Float)\d+(?:Clamped)?Array|DataView|Date|Error|FinalizationRegistry|Promise|RegExp|Symbol|(?:Weak)?(?:Map|Set)|WeakRef)$/;

const WRAPPERS = { Number, String, Boolean, BigInt };

let classNames: ReadonlyMap<unknown, string> | undefined;

/** The name of the wrapper or opaque class of this realm that has a prototype; the classes are collected when first needed. */
function classNameOf(prototype: object): string | undefined {
  classNames ??= new Map(
    Object.getOwnPropertyNames(globalThis)
      .filter((name) => OPAQUE_CLASS.test(name) || Object.hasOwn(WRAPPERS, name))
      .map((name) => [
        (globalThis as unknown as Record<string, { readonly prototype?: unknown }>)[name]?.prototype,
        name,
      ]),
  );
  return classNames.get(prototype);
}

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
    return isOrdinary(plain) ? plain : unwrap(plain, reject);
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
  if (typeof toJson !== "function" || parts.isPart(value)) return value;
  return toJson.call(value, String(key));
}

/**
 * Refuses an object without members unless it is plain and nothing is hidden in it: instances of different content, of
 * whatever class, would share the digest of `{}`.
 */
export function checkEmpty(value: object, reject: Reject): void {
  if (!hasPlainPrototype(value) || isBrandedEmpty(value)) rejectHidden(value, reject);
}

function rejectHidden(value: object, reject: Reject): never {
  const tag = tagOf(value);
  const owner = tag === "Object" || tag === "" ? "an object without own enumerable members" : `a ${tag}`;
  return reject(
    "opaque-object",
    `the content of ${owner} is invisible to JSON; convert it to an array or a plain object, or give it a toJSON method`,
  );
}

function unwrap(value: object, reject: Reject): unknown {
  const classes = classesOf(value);
  if (isWrapper("Number", value, classes)) return +(value as unknown as number);
  if (isWrapper("String", value, classes)) return String(value);
  if (isWrapper("Boolean", value, classes)) return Boolean.prototype.valueOf.call(value);
  if (isWrapper("BigInt", value, classes)) return reject("bigint", BIGINT_MESSAGE);
  if (hidesContent(value, classes)) rejectHidden(value, reject);
  return value;
}

/** Whether there is more to an object than the members that JSON sees. {@link checkEmpty} finds more without members. */
function hidesContent(value: object, classes: ReadonlySet<string>): boolean {
  if (hasPlainPrototype(value)) return hidesBesideMembers(value);
  return ArrayBuffer.isView(value) || [...classes].some((name) => OPAQUE_CLASS.test(name) || isOfPlatform(value, name));
}

/** The tag of a value, which may lie, and the built-in classes of this and other realms that it inherits from. */
function classesOf(value: object): Set<string> {
  const classes = new Set([tagOf(value)]);
  let prototype = Object.getPrototypeOf(value) as object | null;
  while (prototype !== null && prototype !== Object.prototype) {
    const tag: unknown = Object.getOwnPropertyDescriptor(prototype, Symbol.toStringTag)?.value;
    const name = classNameOf(prototype) ?? tag;
    if (typeof name === "string") classes.add(name);
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return classes;
}

/** Whether the engine keeps a primitive in an object, which neither its tag nor its class proves. */
function isWrapper(type: keyof typeof WRAPPERS, value: object, classes: ReadonlySet<string>): boolean {
  return classes.has(type) && returns((wrapper) => Reflect.apply(WRAPPERS[type].prototype.valueOf, wrapper, []), value);
}
