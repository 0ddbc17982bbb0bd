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

const KINDS: Readonly<Record<Kind, { readonly text: string; readonly is: (value: unknown) => boolean }>> = {
  array: { text: "an array", is: Array.isArray },
  boolean: { text: "true or false", is: (value) => typeof value === "boolean" },
  bytes: { text: "bytes (a Uint8Array)", is: ArrayBuffer.isView },
  function: { text: "a function", is: (value) => typeof value === "function" },
  iterable: { text: "an iterable, such as an array", is: isIterable },
  number: { text: "a number", is: (value) => typeof value === "number" },
  object: { text: "an object", is: (value) => typeName(value) === "object" },
  // Schemas of some libraries are functions.
  objectOrFunction: { text: "an object", is: (value) => typeName(value) === "object" || typeof value === "function" },
  string: { text: "a string", is: (value) => typeof value === "string" },
};

/**
 * The form that an argument must have: a kind of value (with `?` it may be `undefined`), a list whose elements all have one form, or an
 * object with members of these forms. It names what a function reads, and nothing else.
 */
export type ArgumentForm = Kind | `${Kind}?` | readonly [ArgumentForm] | { readonly [member: string]: ArgumentForm };

/** Throws unless the argument has the form; the message says where, what was expected, and what was received. */
export type ArgumentCheck = (name: string, value: unknown, form: ArgumentForm) => void;

/** The reason that an {@link ArgumentError} has. */
export type ArgumentErrorCode =
  /** An argument has another form than the function takes. Pass what the message expects. */
  "invalid-argument";

/**
 * A wrong argument of a function whose package has no errors of its own.
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
 * Makes the check with which the functions of a package refuse a wrong argument by the package's own error, before they read it.
 *
 * @param refuse Makes the error of a message; an {@link ArgumentError} where it is absent.
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
  const check: ArgumentCheck = (name, value, form) => {
    if (typeof form === "string") {
      const isOptional = form.endsWith("?");
      const { text, is } = KINDS[(isOptional ? form.slice(0, -1) : form) as Kind];
      if (is(value) || (isOptional && value === undefined)) return;
      throw refuse(`${name}: expected ${text}, received ${typeName(value)}`);
    }
    if (isList(form)) {
      check(name, value, "array");
      for (const [index, element] of (value as unknown[]).entries()) check(`${name}[${index}]`, element, form[0]);
      return;
    }
    check(name, value, "objectOrFunction");
    for (const [member, memberForm] of Object.entries(form)) {
      check(`${name}.${member}`, (value as Record<string, unknown>)[member], memberForm);
    }
  };
  return check;
}

function isList(form: ArgumentForm): form is readonly [ArgumentForm] {
  return Array.isArray(form);
}

function isIterable(value: unknown): boolean {
  return typeof value === "object" && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value);
}
