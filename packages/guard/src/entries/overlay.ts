/**
 * An object of another library with some members of ours in its place. Everything else is as it was, read and written; what tells its class
 * is that of ours.
 */
export function overlay<T extends object>(object: T, ours: object): T {
  return new Proxy(ours, {
    get: (_, name) => memberOf(name in ours ? ours : object, name),
    set: (_, name, value) => Reflect.set(name in ours ? ours : object, name, value),
    has: (_, name) => name in ours || name in object,
  }) as T;
}

/** A member as it works without its object before it: methods have private members of their object. */
function memberOf(owner: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(owner, name);
  return typeof value === "function" && !Object.hasOwn(owner, name) ? value.bind(owner) : value;
}
