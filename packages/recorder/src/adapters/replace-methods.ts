import { RecorderError } from "../errors.ts";

const replaced = new WeakSet<object>();

/**
 * Replaces methods of a library's object, only once: the library keeps the same object, and its members are listed as
 * before.
 *
 * @param make Returns the methods, given the original object.
 * @throws {@link RecorderError} `unsupported` if the object cannot be changed.
 */
export function replaceMethods<T extends object>(object: T, make: (before: T) => object): T {
  if (replaced.has(object)) return object;
  requireOpen(object);
  for (const [name, value] of Object.entries(make(object))) {
    const { enumerable = false } = Object.getOwnPropertyDescriptor(object, name) ?? {};
    Object.defineProperty(object, name, { value, enumerable, configurable: true, writable: true });
  }
  replaced.add(object);
  return object;
}

/** @throws {@link RecorderError} `unsupported` if the object cannot be changed. */
export function requireOpen(object: object): void {
  if (Object.isExtensible(object)) return;
  throw new RecorderError("unsupported", "expected an object whose methods can be replaced, received a frozen one");
}
