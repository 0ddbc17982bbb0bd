/** ECMA-262 classes whose instances keep content where JSON cannot see it, with or without members. */
export const OPAQUE_CLASS: RegExp =
  /^(?:(?:Shared)?ArrayBuffer|(?:Big)?(?:Int|Uint|Float)\d+(?:Clamped)?Array|DataView|Date|Error|FinalizationRegistry|Promise|RegExp|Symbol|(?:Weak)?(?:Map|Set)|WeakRef)$/;
/** Classes whose instances keep one primitive, and classes that only newer engines have. */
const OTHER_CLASS = /^(?:Number|String|Boolean|BigInt|(?:Async)?DisposableStack)$/;

/** The global values, by name. */
export const globals = globalThis as unknown as Readonly<Record<string, { readonly prototype?: unknown } | undefined>>;

let names: ReadonlyMap<object, string> | undefined;

/**
 * Maps the prototypes of the classes above, in this realm, to their names. The map is built when it is first needed.
 */
export function builtInClasses(): ReadonlyMap<object, string> {
  names ??= new Map(
    Object.getOwnPropertyNames(globalThis)
      .filter((name) => OPAQUE_CLASS.test(name) || OTHER_CLASS.test(name))
      .map((name) => [Object(globals[name]?.prototype), name]),
  );
  return names;
}

/** Classes in ECMA-262, ECMA-402 and WebAssembly that are not global under their own name. */
const NAMESPACED = /^(?:(?:Intl|Temporal|WebAssembly)\.\w+|(?:Async)?Generator|Iterator Helper|(?:\w+ )+Iterator)$/;
/** Classes whose content is in their members, or that have no content. */
const VISIBLE = /^(?:BigInt|Boolean|DOMStringMap|Iterator|Number|Object|Storage|String)$/;

/**
 * Returns whether a value is an instance of a platform class (Headers, Blob, Event, generators, Intl.NumberFormat …),
 * by its tag. Such objects keep their content where JSON cannot see it, even if members were added to them.
 */
export function isOfPlatform(value: object, tag: string): boolean {
  if (VISIBLE.test(tag)) return false;
  if (NAMESPACED.test(tag)) return true;
  // Globals that scripts define are enumerable; the platform's are not.
  if (Object.getOwnPropertyDescriptor(globals, tag)?.enumerable !== false) return false;
  const type = globals[tag];
  return typeof type === "function" && Object.prototype.isPrototypeOf.call(Object(type.prototype) as object, value);
}
