import { typeName } from "./type-name.ts";

type Kind =
  | "array"
  | "boolean"
  | "bytes"
  | "function"
  | "iterable"
  | "number"
  | "object"
  | "objectOrFunction"
  | "string";

/** How messages name a kind, unless they write `a` and the kind's name. */
const WORDS: Readonly<Record<string, string>> = {
  array: "an array",
  boolean: "true or false",
  bytes: "bytes (a Uint8Array)",
  iterable: "an iterable, such as an array",
  object: "an object",
  objectOrFunction: "an object",
};

/**
 * The form that an argument must have: a kind of value (with `?` it may be `undefined`), a list whose elements all have
 * the same form, or an object with members of these forms. It covers only the members that a function reads.
 */
export type ArgumentForm = Kind | `${Kind}?` | readonly [ArgumentForm] | { readonly [member: string]: ArgumentForm };

/**
 * Throws unless the argument has the form; the message contains the place, the expected form and the received
 * value.
 */
export type ArgumentCheck = (name: string, value: unknown, form: ArgumentForm) => void;

/** The reason for an {@link ArgumentError}. */
export type ArgumentErrorCode =
  /** An argument does not have the form that the function accepts. Pass what the message expects. */
  "invalid-argument";

/**
 * The error for a wrong argument to a function whose package has no error class of its own.
 *
 * @example
 * ```ts
 * import { ArgumentError, pairByPosition } from "@agentprint/canonical-json/json-value";
 *
 * try {
 *   pairByPosition([], null as never);
 * } catch (error) {
 *   console.log(error instanceof ArgumentError && error.code); // invalid-argument
 * }
 * ```
 */
export class ArgumentError extends TypeError {
  override readonly name = "ArgumentError";
  readonly code: ArgumentErrorCode = "invalid-argument";
}

/**
 * Returns a check with which a package's functions refuse a wrong argument before they read it. The check throws the
 * package's own error.
 *
 * @param refuse Makes the error from a message; by default an {@link ArgumentError}.
 * @example
 * ```ts
 * import { argumentCheck } from "@agentprint/canonical-json/json-value";
 *
 * const check = argumentCheck((message) => new RangeError(message));
 * check("lock", { servers: [] }, { servers: ["object"], policy: "object?" });
 * try {
 *   check("lock", { servers: [null] }, { servers: ["object"] });
 * } catch (error) {
 *   console.log(error instanceof RangeError && error.message); // lock.servers[0]: expected an object, received null
 * }
 * ```
 */
export function argumentCheck(
  refuse: (message: string) => Error = (message) => new ArgumentError(message),
): ArgumentCheck {
  return (name, value, form) => {
    const problem = problemOf(value, form);
    if (problem !== undefined) throw refuse(name + problem);
  };
}

/**
 * Returns the first place where a value differs from the form, and the difference; `undefined` if the value fits.
 * Builds no strings in advance, because it runs before every hash.
 */
function problemOf(value: unknown, form: ArgumentForm): string | undefined {
  const kind = typeof form === "string" ? form : isList(form) ? "array" : "objectOrFunction";
  if (!isOfKind(value, kind)) {
    const name = kind.replace("?", "");
    return `: expected ${WORDS[name] ?? `a ${name}`}, received ${typeName(value)}`;
  }
  if (typeof form === "string") return undefined;
  if (isList(form)) {
    let index = 0;
    for (const element of value as readonly unknown[]) {
      const problem = problemOf(element, form[0]);
      if (problem !== undefined) return `[${index}]${problem}`;
      index++;
    }
    return undefined;
  }
  for (const member in form) {
    const problem = problemOf((value as Record<string, unknown>)[member], form[member]!);
    if (problem !== undefined) return `.${member}${problem}`;
  }
  return undefined;
}

function isOfKind(value: unknown, kind: Kind | `${Kind}?`): boolean {
  const isObject = typeof value === "object" && value !== null;
  switch (kind) {
    case "array":
      return Array.isArray(value);
    case "bytes":
      return ArrayBuffer.isView(value);
    case "iterable":
      return isObject && (Symbol.iterator in value || Symbol.asyncIterator in value);
    case "object":
      return isObject && !Array.isArray(value);
    // Some libraries' schemas are functions.
    case "objectOrFunction":
      return typeof value === "function" || (isObject && !Array.isArray(value));
    default:
      if (kind.endsWith("?")) return value === undefined || isOfKind(value, kind.slice(0, -1) as Kind);
      // JavaScript's types.
      return typeof value === kind;
  }
}

function isList(form: ArgumentForm): form is readonly [ArgumentForm] {
  return Array.isArray(form);
}
