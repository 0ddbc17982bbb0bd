import { CanonicalJsonError } from "./errors.ts";
import { DEFAULT_MAX_DEPTH, keysByCodeUnit, keysByLocale, type ResolvedOptions } from "./key-order.ts";

/** How object keys are ordered; see {@link CanonicalizeOptions.keyOrder}. */
export type KeyOrder = "code-unit" | "locale";

/** How a value becomes canonical text. */
export interface CanonicalizeOptions {
  /**
   * `"rfc8785"` (default) is RFC 8785 over the I-JSON data model and rejects values that JSON cannot represent.
   * `"ecmascript"` is the text that `JSON.stringify` would write, but with sorted keys.
   */
  readonly profile?: "rfc8785" | "ecmascript" | undefined;
  /**
   * `"code-unit"` (default) orders keys by UTF-16 code units. `"locale"` reproduces old digests made with
   * `localeCompare`: array indexes first and ascending, then the `en` collation.
   */
  readonly keyOrder?: KeyOrder | undefined;
  /** The deepest accepted nesting of arrays and objects. Default 1,000,000. */
  readonly maxDepth?: number | undefined;
}

const DEFAULTS: ResolvedOptions = {
  strict: true,
  keyOrder: "code-unit",
  sortedKeys: keysByCodeUnit,
  maxDepth: DEFAULT_MAX_DEPTH,
};

/** The options of all functions, which may be combined in one object. */
const NAMES = [
  "profile",
  "keyOrder",
  "maxDepth",
  "maxBytes",
  "losslessIntegers",
  "exactNumbers",
  "tolerate",
  "tolerateInNames",
];

/** Fills in the defaults. A misspelt value throws, because using the default instead would change the digest. */
export function resolveOptions(options: CanonicalizeOptions | undefined): ResolvedOptions {
  if (options === undefined) return DEFAULTS;
  checkNames(options);
  const { profile = "rfc8785", keyOrder = "code-unit", maxDepth = DEFAULT_MAX_DEPTH } = options;
  checkChoice("profile", profile, ["rfc8785", "ecmascript"]);
  checkKeyOrder(keyOrder);
  if (!isLimit(maxDepth)) throw invalidOption("maxDepth", "a whole number ≥ 0", maxDepth);
  const sortedKeys = keyOrder === "locale" ? keysByLocale : keysByCodeUnit;
  return { strict: profile === "rfc8785", keyOrder, sortedKeys, maxDepth };
}

/** Returns whether a value is a limit: a whole number of at least 0, or no limit. */
export function isLimit(value: unknown): value is number {
  return value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && Number(value) >= 0);
}

/** Refuses options that are not an object, and unknown names. */
export function checkNames(options: object, names: readonly string[] = NAMES): void {
  if (typeof options !== "object" || options === null) throw invalidOption("options", "an object", options);
  for (const name of Object.keys(options)) {
    checkChoice("options", name, names);
  }
}

export function checkKeyOrder(order: KeyOrder): void {
  checkChoice("keyOrder", order, ["code-unit", "locale"]);
}

function checkChoice(option: string, received: unknown, choices: readonly unknown[]): void {
  if (!choices.includes(received)) throw invalidOption(option, choices.map(show).join(" or "), received);
}

export function invalidOption(option: string, expected: string, received: unknown): CanonicalJsonError {
  return new CanonicalJsonError("invalid-option", "", `${option}: expected ${expected}, received ${show(received)}`);
}

/** It calls no method of the value, because the method could throw. */
function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  return Object(value) === value ? `a value of type ${typeof value}` : String(value);
}
