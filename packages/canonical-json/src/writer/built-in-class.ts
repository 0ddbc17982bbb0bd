/** Classes of ECMA-262 whose instances keep what they hold where JSON does not look, with or without members. */
export const OPAQUE_CLASS: RegExp =
  /^(?:(?:Shared)?ArrayBuffer|(?:Big)?(?:Int|Uint|Float)\d+(?:Clamped)?Array|DataView|Date|Error|FinalizationRegistry|Promise|RegExp|Symbol|(?:Weak)?(?:Map|Set)|WeakRef)$/;
/** Classes whose instances keep one primitive, and classes that only newer engines have. */
const OTHER_CLASS = /^(?:Number|String|Boolean|BigInt|(?:Async)?DisposableStack)$/;

/** What is global, by name. */
export const globals = globalThis as unknown as Readonly<Record<string, { readonly prototype?: unknown } | undefined>>;

let names: ReadonlyMap<object, string> | undefined;

/** The names of the classes above by their prototypes in this realm; collected when they are first needed. */
export function builtInClasses(): ReadonlyMap<object, string> {
  names ??= new Map(
    Object.getOwnPropertyNames(globalThis)
      .filter((name) => OPAQUE_CLASS.test(name) || OTHER_CLASS.test(name))
      .map((name) => [Object(globals[name]?.prototype), name]),
  );
  return names;
}
