/**
 * Returns a proxy that reads and writes the members of `ours` and, for all other names, the members of `object`. Its
 * prototype is the prototype of `ours`.
 */
export function overlay<T extends object>(object: T, ours: object): T {
  return new Proxy(ours, {
    get: (_, name) => memberOf(name in ours ? ours : object, name),
    set: (_, name, value) => Reflect.set(name in ours ? ours : object, name, value),
    has: (_, name) => name in ours || name in object,
  }) as T;
}

/** Returns a member; a method is bound to its owner, because it may use private members. */
function memberOf(owner: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(owner, name);
  return typeof value === "function" && !Object.hasOwn(owner, name) ? value.bind(owner) : value;
}
