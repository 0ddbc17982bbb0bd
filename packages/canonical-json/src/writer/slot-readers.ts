import { builtInClasses, globals } from "./platform-class.ts";

/** A call that throws a TypeError unless the engine keeps content for the object, whatever its prototype is. */
export type SlotReader = (value: object) => unknown;

/** Methods and getters of the built-in classes that read what the engine keeps for an instance. */
const MEMBERS = ["byteLength", "deref", "disposed", "has", "source", "then", "unregister", "valueOf"];
/** The same for the classes in `Intl` and `Temporal`. */
const NAMESPACE_MEMBERS = ["resolvedOptions", "toString"];

let readers: readonly SlotReader[] | undefined;

/** Returns the readers of all built-in classes that this engine has except views; collected when they are first needed. */
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

/** Returns the own methods and getters of a prototype that have one of the names. */
function readMembers(prototype: object, names: readonly string[]): unknown[] {
  return names.map((name) => {
    const property = Object.getOwnPropertyDescriptor(prototype, name);
    return property?.get ?? property?.value;
  });
}

function ignore(): void {}

/** A key that no collection has, or two reactions without effect: a promise with reactions is handled. */
const ARGUMENTS = [ignore, ignore];

/**
 * Returns one iterator of each class. Calling `next` of an iterator, or `return` of a generator, advances it; this is
 * harmless, because an iterator that has lost its prototype has no `next` that a program could call.
 */
function iterators(): Iterator<unknown>[] {
  return [[].values(), ""[Symbol.iterator](), "".matchAll(/./g), new Map().values(), new Set().values()];
}
