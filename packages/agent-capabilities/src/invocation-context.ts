import { isPlainObject, keyComparator } from "@agentprint/canonical-json";
import { CapabilityError } from "./errors.ts";
import { guarded } from "./guarded.ts";
import type { SortOptions } from "./hash-options.ts";
import { hashPlainObject } from "./hash-plain-object.ts";
import { copyLines } from "./require.ts";

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
 * A plain copy of an invocation context: no `undefined`, dates as ISO strings, the keys of every object sorted as far as
 * JavaScript lets them be: it keeps array indexes first.
 *
 * @param context - Anything; what is not a plain object is no context.
 * @param options - `allowlist`, and the order of keys.
 * @returns The copy, or `undefined` when nothing is left to hash.
 * @throws {CapabilityError} `invalid-context` for functions, bigints, symbols, cycles, class instances, invalid dates and
 * what cannot be read; `too-deep` beyond 512 levels; `invalid-argument` for an allowlist that is no array of strings.
 * @see Capability hashing, "Invocation binding (`invocationHash`, optional)"
 * @example
 * ```ts
 * import { normalizeInvocationContextForHash } from "@agentprint/agent-capabilities";
 *
 * normalizeInvocationContextForHash({ user: "u1", note: undefined, at: new Date(0) });
 * // { at: "1970-01-01T00:00:00.000Z", user: "u1" }
 * ```
 */
export function normalizeInvocationContextForHash(
  context: unknown,
  options: InvocationOptions = {},
): Record<string, unknown> | undefined {
  const allowlist = copyLines("allowlist", options.allowlist) ?? [];
  const kept = allowlist.length === 0 ? undefined : new Set(allowlist);
  const compare = keyComparator(options.sort ?? "code-unit");
  const keys = read([], () => (isPlainObject(context) ? Object.keys(context) : []));
  const copier: Copier = { compare, open: new Set() };
  const allowed = keys.filter((key) => kept === undefined || kept.has(key));
  const normalized = copyObject(context as object, allowed, [], copier);
  return Object.keys(normalized).length === 0 ? undefined : normalized;
}

/**
 * The object that is hashed for an invocation.
 *
 * @param context - As for `normalizeInvocationContextForHash`.
 * @param options - `allowlist`.
 * @returns The payload, or `undefined` when there is nothing to hash.
 * @throws {CapabilityError} `invalid-context`, `too-deep` or `invalid-argument`.
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
 * @throws {CapabilityError} `invalid-context`, `too-deep` or `invalid-argument`.
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

interface Copier {
  readonly compare: (a: string, b: string) => number;
  /** The containers around the place being read. */
  readonly open: Set<object>;
}

function copyObject(source: object, keys: string[], path: Path, copier: Copier): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of keys.sort(copier.compare)) {
    const at = [...path, key];
    const value = copyValue(
      read(at, () => Reflect.get(source, key) as unknown),
      at,
      copier,
    );
    if (value === undefined) continue;
    // An own "__proto__" is data, and assignment would lose it.
    Object.defineProperty(copy, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

function copyArray(source: readonly unknown[], path: Path, copier: Copier): unknown[] {
  const { length } = source;
  const copy: unknown[] = [];
  for (let index = 0; index < length; index++) {
    const at = [...path, index];
    const value = copyValue(
      read(at, () => source[index]),
      at,
      copier,
    );
    if (value !== undefined) copy.push(value);
  }
  return copy;
}

function copyValue(value: unknown, path: Path, copier: Copier): unknown {
  switch (typeof value) {
    case "bigint":
    case "symbol":
    case "function":
      throw reject(path, (at) => `not JSON-serializable at ${at} (${typeof value}) — use strings or numbers`);
    case "object":
      return value === null ? null : copyContainer(value, path, copier);
    default:
      return value;
  }
}

function copyContainer(value: object, path: Path, copier: Copier): unknown {
  const date = read(path, () => (value instanceof Date ? { time: Date.prototype.getTime.call(value) } : undefined));
  if (date !== undefined) {
    if (Number.isNaN(date.time)) throw reject(path, (at) => `has an invalid Date at ${at} — use a valid one`);
    return new Date(date.time).toISOString();
  }
  const isArray = read(path, () => Array.isArray(value));
  const keys = read(path, () => (isArray ? [] : isPlainObject(value) && Object.keys(value)));
  if (keys === false) {
    throw reject(path, (at) => `expects a plain object at ${at} — use JSON-serializable data only`);
  }
  if (copier.open.has(value)) throw reject(path, (at) => `is circular at ${at}`);
  if (path.length > MAX_DEPTH) {
    throw new CapabilityError("too-deep", `invocationContext: expected at most ${MAX_DEPTH} levels`, { path });
  }
  copier.open.add(value);
  const copy = isArray
    ? read(path, () => copyArray(value as readonly unknown[], path, copier))
    : copyObject(value, keys, path, copier);
  copier.open.delete(value);
  return copy;
}

/** What `look` returns; what a getter or proxy throws is an error with its place. */
function read<T>(path: Path, look: () => T): T {
  return guarded("invalid-context", `invocationContext${pathText(path)}`, look, { path });
}

/** Messages are those of the specification's implementation: dots between keys, brackets around indexes. */
function reject(path: Path, say: (at: string) => string): CapabilityError {
  return new CapabilityError("invalid-context", `invocationContext ${say(pathText(path).replace(/^\./, ""))}`, {
    path,
  });
}

function pathText(path: Path): string {
  return path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");
}
