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
  object: { text: "an object", is: isRecord },
  // Schemas of some libraries are functions.
  objectOrFunction: { text: "an object", is: (value) => typeof value === "function" || isRecord(value) },
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
  return (name, value, form) => {
    if (!fits(value, form)) throw refuse(problemOf(name, value, form));
  };
}

/** Makes no text, because it is before every hash. */
function fits(value: unknown, form: ArgumentForm): boolean {
  if (typeof form === "string") {
    const kind = KINDS[form as Kind];
    return kind === undefined ? value === undefined || kindOf(form).is(value) : kind.is(value);
  }
  if (isList(form)) {
    if (!Array.isArray(value)) return false;
    for (const element of value) if (!fits(element, form[0])) return false;
    return true;
  }
  if (!KINDS.objectOrFunction.is(value)) return false;
  for (const member in form) {
    if (!fits((value as Record<string, unknown>)[member], form[member]!)) return false;
  }
  return true;
}

/** Says of a value that does not fit where it differs first. */
function problemOf(name: string, value: unknown, form: ArgumentForm): string {
  const kind = typeof form === "string" ? kindOf(form) : KINDS[isList(form) ? "array" : "objectOrFunction"];
  const parts = kind.is(value) ? partsOf(name, value, form) : [];
  const [wrong] = parts.filter(([, part, partForm]) => !fits(part, partForm));
  return wrong ? problemOf(...wrong) : `${name}: expected ${kind.text}, received ${typeName(value)}`;
}

function partsOf(name: string, value: unknown, form: ArgumentForm): [string, unknown, ArgumentForm][] {
  if (typeof form === "string") return [];
  if (isList(form)) return Array.from(value as unknown[], (element, index) => [`${name}[${index}]`, element, form[0]]);
  return Object.entries(form).map(([member, memberForm]) => [
    `${name}.${member}`,
    (value as Record<string, unknown>)[member],
    memberForm,
  ]);
}

/** The kind of a form, with or without `?`. */
function kindOf(form: string): (typeof KINDS)[Kind] {
  return KINDS[form.replace("?", "") as Kind];
}

function isList(form: ArgumentForm): form is readonly [ArgumentForm] {
  return Array.isArray(form);
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isIterable(value: unknown): boolean {
  return typeof value === "object" && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value);
}
