import { globals } from "./built-in-class.ts";

/** Classes of ECMA-262, ECMA-402 and WebAssembly that are no global of their own name. */
const NAMESPACED = /^(?:(?:Intl|Temporal|WebAssembly)\.\w+|(?:Async)?Generator|Iterator Helper|(?:\w+ )+Iterator)$/;
/** Classes whose content is their members, or that have none. */
const VISIBLE = /^(?:BigInt|Boolean|DOMStringMap|Iterator|Number|Object|Storage|String)$/;

/**
 * Whether a value is of a class that the platform defines (Headers, Blob, Event, generators, Intl.NumberFormat …), by its
 * tag: such objects keep their content where JSON does not look, even when someone has given them members.
 */
export function isOfPlatform(value: object, tag: string): boolean {
  if (VISIBLE.test(tag)) return false;
  if (NAMESPACED.test(tag)) return true;
  // What scripts define is enumerable; what the platform defines is not.
  if (Object.getOwnPropertyDescriptor(globals, tag)?.enumerable !== false) return false;
  const type = globals[tag];
  return typeof type === "function" && Object.prototype.isPrototypeOf.call(Object(type.prototype) as object, value);
}
