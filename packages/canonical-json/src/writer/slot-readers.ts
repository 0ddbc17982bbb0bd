import { builtInClasses, globals } from "./platform-class.ts";

/** A call that throws a TypeError unless the engine keeps content for the object, whatever its prototype is. */
export type SlotReader = (value: object) => unknown;

/** Methods and getters of built-in classes that read the content which the engine keeps for an instance. */
const MEMBERS = ["byteLength", "deref", "disposed", "has", "source", "then", "unregister", "valueOf"];
/** Such methods of the classes in `Intl` and `Temporal`. */
const NAMESPACE_MEMBERS = ["resolvedOptions", "toString"];

let readers: readonly SlotReader[] | undefined;

/**
 * Returns readers for all built-in classes of this engine except views. They are collected when they are first needed.
 */
export function slotReaders(): readonly SlotReader[] {
  readers ??= [
    ...[...builtInClasses().keys()].flatMap((prototype) => readMembers(prototype, MEMBERS)),
    ...["Intl", "Temporal"].flatMap((name) =>
      Object.values(Object.getOwnPropertyDescriptors(Object(globals[name]) as object)).flatMap(({ value }) =>
        readMembers(Object((value as { prototype?: unknown } | undefined)?.prototype), NAMESPACE_MEMBERS),
      ),
    ),
    ...iterators().map((iterator) => iterator.next),
    (function* () {})().return,
  ].flatMap((member) => (typeof member === "function" ? [(value) => Reflect.apply(member, value, ARGUMENTS)] : []));
  return readers;
}

/** Returns a prototype's own methods and getters with these names. */
function readMembers(prototype: object, names: readonly string[]): unknown[] {
  return names.map((name) => {
    const property = Object.getOwnPropertyDescriptor(prototype, name);
    return property?.get ?? property?.value;
  });
}

function ignore(): void {}

/**
 * For a collection, a key that it does not have; for a promise, two reactions without effect, which mark it as handled.
 */
const ARGUMENTS = [ignore, ignore];

/**
 * Returns one iterator of each class. Calling an iterator's `next`, or a generator's `return`, advances it. This is
 * harmless, because an iterator that has lost its prototype has no `next` that a program could call.
 */
function iterators(): Iterator<unknown>[] {
  return [[].values(), ""[Symbol.iterator](), "".matchAll(/./g), new Map().values(), new Set().values()];
}
