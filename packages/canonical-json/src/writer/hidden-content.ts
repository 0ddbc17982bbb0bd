import { slotReaders } from "./slot-readers.ts";

/** Returns whether an object's prototype is null or the `Object.prototype` of any realm. */
export function hasPlainPrototype(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === null || prototype === Object.prototype) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "hasOwnProperty");
}

const tagText = Object.prototype.toString;

/**
 * Returns whether an object has the prototype of this realm and is not a view, Date, Error, RegExp or wrapper, as most
 * values do.
 */
export function isOrdinary(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype && tagOf(value) === "Object" && !ArrayBuffer.isView(value);
}

/**
 * Returns the class name that `Object.prototype.toString` returns for a value, although the value may have replaced it;
 * `""` if reading it throws.
 */
export function tagOf(value: object): string {
  try {
    const tag = tagText.call(value);
    return tag === "[object Object]" ? "Object" : tag.slice(8, -1);
  } catch {
    return "";
  }
}

/** Returns whether an object with a plain prototype holds more than its members. */
export function hidesBesideMembers(value: object): boolean {
  if (ArrayBuffer.isView(value) || isRawJson(value)) return true;
  const tag = tagOf(value);
  return tag !== "Object" && isBranded(value, tag);
}

/**
 * Returns whether `JSON.rawJSON` made a value. `JSON.stringify` copies the text of such a value, which need not be
 * canonical.
 */
function isRawJson(value: object): boolean {
  return (JSON as { isRawJSON?: (value: unknown) => boolean }).isRawJSON?.(value) === true;
}

/**
 * Returns whether the engine keeps content for an object with a plain prototype, as it does for a Map, a Date or an
 * Error.
 */
function isBranded(value: object, tag: string): boolean {
  if (tag === "Object" || Symbol.toStringTag in value) return slotReaders().some((read) => returns(read, value));
  return tag !== "Arguments"; // The engine itself chose the tag.
}

/**
 * Like {@link isBranded}, but only for an object without members. A structured clone proves in a hundredth of the time
 * that most of them are ordinary: it gives a copy the prototype of the object's class, and refuses objects that it
 * cannot copy.
 */
export function isBrandedEmpty(value: object): boolean {
  let clone: object;
  try {
    clone = structuredClone(value);
  } catch {
    return ArrayBuffer.isView(value) || isBranded(value, tagOf(value)); // A detached view, a proxy, or branded.
  }
  return !hasPlainPrototype(clone);
}

/**
 * Returns whether a call that reads the engine's content of an object succeeds, which means that the engine keeps some.
 */
export function returns(read: (value: object) => unknown, value: object): boolean {
  try {
    read(value);
    return true;
  } catch {
    return false;
  }
}
