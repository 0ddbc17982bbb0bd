import { CapabilityError } from "./errors.ts";
import type { SortOptions } from "./hash-options.ts";
import { hashPlainObject } from "./hash-plain-object.ts";

/** Options of the invocation functions. */
export interface InvocationOptions extends SortOptions {
  /** Top-level keys to keep. Absent or empty: all. Other keys are not even looked at. */
  readonly allowlist?: readonly string[] | undefined;
}

/** What is hashed of an invocation. */
export interface InvocationPayload {
  readonly kind: "invocation";
  readonly context: Readonly<Record<string, unknown>>;
}

/** Deepest nesting of a context. */
const MAX_DEPTH = 512;

/**
 * A plain copy of an invocation context: no `undefined`, dates as ISO strings.
 *
 * @param context - Anything; what is not a plain object is no context.
 * @param options - `allowlist`.
 * @returns The copy, or `undefined` when nothing is left to hash.
 * @throws {CapabilityError} `invalid-context` for functions, bigints, symbols, cycles, class instances and invalid
 * dates; `too-deep` beyond 512 levels.
 * @see Capability hashing, "Invocation binding (`invocationHash`, optional)"
 * @example
 * ```ts
 * import { normalizeInvocationContextForHash } from "@agentprint/agent-capabilities";
 *
 * normalizeInvocationContextForHash({ user: "u1", note: undefined, at: new Date(0) });
 * // { user: "u1", at: "1970-01-01T00:00:00.000Z" }
 * ```
 */
export function normalizeInvocationContextForHash(
  context: unknown,
  options: InvocationOptions = {},
): Record<string, unknown> | undefined {
  if (typeof context !== "object" || context === null || !isPlain(context)) return undefined;
  const { allowlist = [] } = options;
  const kept = allowlist.length === 0 ? undefined : new Set(allowlist);
  const keys = Object.keys(context).filter((key) => kept === undefined || kept.has(key));
  const normalized = copyObject(context, keys, [], new Set());
  return Object.keys(normalized).length === 0 ? undefined : normalized;
}

/**
 * The object that is hashed for an invocation.
 *
 * @param context - As for `normalizeInvocationContextForHash`.
 * @param options - `allowlist`.
 * @returns The payload, or `undefined` when there is nothing to hash.
 * @throws {CapabilityError} `invalid-context` or `too-deep`.
 * @see Capability hashing, "Invocation binding (`invocationHash`, optional)"
 * @example
 * ```ts
 * import { invocationContextCanonicalPayload } from "@agentprint/agent-capabilities";
 *
 * invocationContextCanonicalPayload({ user: "u1" }); // { kind: "invocation", context: { user: "u1" } }
 * ```
 */
export function invocationContextCanonicalPayload(
  context: unknown,
  options: InvocationOptions = {},
): InvocationPayload | undefined {
  const normalized = normalizeInvocationContextForHash(context, options);
  return normalized && { kind: "invocation", context: normalized };
}

/**
 * SHA-256 of {@link invocationContextCanonicalPayload}.
 *
 * @param context - As for `normalizeInvocationContextForHash`.
 * @param options - `allowlist` and order.
 * @returns 64 lowercase hex digits, or `undefined` when there is nothing to hash.
 * @throws {CapabilityError} `invalid-context` or `too-deep`.
 * @see Capability hashing, "Invocation binding (`invocationHash`, optional)"
 * @example
 * ```ts
 * import { computeInvocationContextHash } from "@agentprint/agent-capabilities";
 *
 * computeInvocationContextHash({}); // undefined
 * ```
 */
export function computeInvocationContextHash(context: unknown, options: InvocationOptions = {}): string | undefined {
  const payload = invocationContextCanonicalPayload(context, options);
  return payload && hashPlainObject(payload, options);
}

type Path = readonly (string | number)[];

function copyObject(source: object, keys: readonly string[], path: Path, open: Set<object>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of keys) {
    const value = copyValue(Reflect.get(source, key), [...path, key], open);
    if (value === undefined) continue;
    // An own "__proto__" is data, and assignment would lose it.
    Object.defineProperty(copy, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

function copyValue(value: unknown, path: Path, open: Set<object>): unknown {
  switch (typeof value) {
    case "bigint":
    case "symbol":
    case "function":
      throw reject(path, (at) => `not JSON-serializable at ${at} (${typeof value}) — use strings or numbers`);
    case "object":
      return value === null ? null : copyContainer(value, path, open);
    default:
      return value;
  }
}

function copyContainer(value: object, path: Path, open: Set<object>): unknown {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw reject(path, (at) => `has an invalid Date at ${at} — use a valid one`);
    return value.toISOString();
  }
  const isArray = Array.isArray(value);
  if (!isArray && !isPlain(value)) {
    throw reject(path, (at) => `expects a plain object at ${at} — use JSON-serializable data only`);
  }
  if (open.has(value)) throw reject(path, (at) => `is circular at ${at}`);
  if (path.length > MAX_DEPTH) {
    throw new CapabilityError("too-deep", `invocationContext: expected at most ${MAX_DEPTH} levels`, { path });
  }
  open.add(value);
  const copy = isArray
    ? Array.from(value, (item, index) => copyValue(item, [...path, index], open)).filter((item) => item !== undefined)
    : copyObject(value, Object.keys(value), path, open);
  open.delete(value);
  return copy;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Messages of the specification's implementation: dots between keys, brackets around indexes. */
function reject(path: Path, say: (at: string) => string): CapabilityError {
  const at = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");
  return new CapabilityError("invalid-context", `invocationContext ${say(at.replace(/^\./, ""))}`, { path });
}
