/** A call that throws a TypeError unless the engine keeps content for the object, whatever its prototype is. */
export type SlotReader = (value: object) => unknown;

/** A method or getter of each built-in class that reads what the engine keeps for an instance. */
const MEMBERS: Readonly<Record<string, string>> = {
  ArrayBuffer: "byteLength",
  AsyncDisposableStack: "disposed",
  BigInt: "valueOf",
  Boolean: "valueOf",
  DataView: "buffer",
  Date: "getTime",
  DisposableStack: "disposed",
  FinalizationRegistry: "unregister",
  Map: "has",
  Number: "valueOf",
  Promise: "then",
  RegExp: "source",
  Set: "has",
  SharedArrayBuffer: "byteLength",
  String: "valueOf",
  Symbol: "valueOf",
  WeakMap: "has",
  WeakRef: "deref",
  WeakSet: "has",
};

let readers: readonly SlotReader[] | undefined;

/** The readers of all built-in classes that this engine has; collected when they are first needed. */
export function slotReaders(): readonly SlotReader[] {
  readers ??= [
    ...Object.entries(MEMBERS).map(([name, member]) => prototypeMember(globalThis, name, member)),
    prototypeMember({ TypedArray: Object.getPrototypeOf(Uint8Array) as object }, "TypedArray", "length"),
    ...["Intl", "Temporal"].flatMap(readersOfNamespace),
    ...iterators().map((iterator) => iterator.next),
    (function* () {})().return,
  ].flatMap((member) => (typeof member === "function" ? [(value) => Reflect.apply(member, value, ARGUMENTS)] : []));
  return readers;
}

function ignore(): void {}

/** A key that no collection has, or two reactions that do nothing: a promise that is asked counts as handled. */
const ARGUMENTS = [ignore, ignore];

/**
 * One iterator of each class. Asking an iterator with `next`, or a generator with `return`, moves it on; that does no harm,
 * because an iterator that has lost its prototype has no `next` that a program could call.
 */
function iterators(): Iterator<unknown>[] {
  return [[].values(), ""[Symbol.iterator](), "".matchAll(/./g), new Map().values(), new Set().values()];
}

function readersOfNamespace(name: string): unknown[] {
  const namespace = own(globalThis, name);
  if (typeof namespace !== "object" || namespace === null) return [];
  return Object.getOwnPropertyNames(namespace).flatMap((type) => [
    prototypeMember(namespace, type, "resolvedOptions"),
    prototypeMember(namespace, type, "toString"),
  ]);
}

/** An own method or getter of the prototype of a class, if there is one. */
function prototypeMember(owner: object, type: string, member: string): unknown {
  const prototype = own(Object(own(owner, type)) as object, "prototype");
  const property = Object.getOwnPropertyDescriptor(Object(prototype), member);
  return property?.get ?? property?.value;
}

function own(owner: object, key: string): unknown {
  return Object.hasOwn(owner, key) ? Reflect.get(owner, key) : undefined;
}
