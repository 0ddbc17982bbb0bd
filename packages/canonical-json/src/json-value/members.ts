/**
 * Returns an object's own member, or `undefined` if there is none: `constructor` and `__proto__` are names like any
 * other.
 *
 * @example
 * ```ts
 * import { ownMember } from "@agentprint/canonical-json/json-value";
 *
 * console.log(ownMember({ type: "string" }, "type"), ownMember({}, "constructor")); // string undefined
 * ```
 */
export function ownMember<T>(object: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/**
 * Sets an object's own member. A member named `__proto__` becomes data too, whereas an assignment would replace the
 * object's prototype.
 *
 * @example
 * ```ts
 * import { setOwnMember } from "@agentprint/canonical-json/json-value";
 *
 * const object = {};
 * setOwnMember(object, "__proto__", 1);
 * console.log(JSON.stringify(object)); // {"__proto__":1}
 * ```
 */
export function setOwnMember<T>(object: { [name: string]: T }, name: string, value: T): void {
  if (name === "__proto__") {
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
  } else object[name] = value;
}
