import { checkKeyOrder, type KeyOrder } from "./key-order.ts";
import { checkNames, invalidOption } from "./option-checks.ts";

/** How a value becomes canonical text. */
export interface CanonicalizeOptions {
  /**
   * `"rfc8785"` (default) is RFC 8785 over the I-JSON data model and rejects what JSON cannot carry.
   * `"ecmascript"` is the text that `JSON.stringify` would write, with the keys sorted.
   */
  readonly profile?: "rfc8785" | "ecmascript" | undefined;
  /**
   * `"code-unit"` (default) orders keys by UTF-16 code units. `"locale"` reproduces old digests made with
   * `localeCompare`: array indexes first and ascending, then the `en` collation.
   */
  readonly keyOrder?: KeyOrder | undefined;
  /** Deepest nesting of arrays and objects accepted. Default 1,000,000. */
  readonly maxDepth?: number | undefined;
}

export interface ResolvedOptions {
  readonly strict: boolean;
  readonly keyOrder: KeyOrder;
  readonly maxDepth: number;
}

const DEFAULTS: ResolvedOptions = { strict: true, keyOrder: "code-unit", maxDepth: 1_000_000 };

/** Fills in the defaults; a misspelt option must not silently pick another digest. */
export function resolveOptions(options: CanonicalizeOptions | undefined): ResolvedOptions {
  if (options === undefined) return DEFAULTS;
  checkNames(options);
  const { profile = "rfc8785", keyOrder = DEFAULTS.keyOrder, maxDepth = DEFAULTS.maxDepth } = options;
  if (profile !== "rfc8785" && profile !== "ecmascript") {
    throw invalidOption("profile", '"rfc8785" or "ecmascript"', profile);
  }
  checkKeyOrder(keyOrder);
  if (typeof maxDepth !== "number" || !(maxDepth >= 0)) throw invalidOption("maxDepth", "a number ≥ 0", maxDepth);
  return { strict: profile === "rfc8785", keyOrder, maxDepth };
}
