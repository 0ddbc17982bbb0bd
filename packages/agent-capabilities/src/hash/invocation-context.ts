import { isPlainObject, keyComparator, setOwnMember } from "@agentprint/canonical-json";
import { checkArgument, copyLines } from "../check-argument.ts";
import { CapabilityError, guarded } from "../errors.ts";
import { MAX_CONTEXT_LEVELS } from "../limits.ts";
import type { SortOptions } from "./hash-options.ts";
import { hashPlainObject } from "./hash-plain-object.ts";

/** Options of the functions that hash an invocation context. */
export interface InvocationOptions extends SortOptions {
  /**
   * Top-level keys to keep. Members with other keys are not read. An empty allowlist is treated as if none was given.
   */
  readonly allowlist?: readonly string[] | undefined;
}

/** The object that is hashed for an invocation. */
export interface InvocationPayload {
  readonly kind: "invocation";
  readonly context: Readonly<Record<string, unknown>>;
}

/**
 * Returns a plain copy of an invocation context, without `undefined`, with dates as ISO strings, and with the keys of
 * every object sorted. JavaScript lists keys that are array indexes first, in any object.
 *
 * @param context - Any value. A value that is not a plain object counts as an empty context.
 * @param options - `allowlist`, and the order of keys.
 * @returns The copy, or `undefined` when nothing is left to hash.
 * @throws {@link CapabilityError} `invalid-context` when the context has functions, bigints, symbols, cycles, class
 * instances, invalid dates or a getter that throws
 * @throws {@link CapabilityError} `too-deep` when the context nests more than 512 levels
 * @throws {@link CapabilityError} `invalid-argument` when `allowlist` is not an array of strings
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
  checkArgument("options", options, "object");
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
 * Returns the object that is hashed for an invocation.
 *
 * @param context - As for `normalizeInvocationContextForHash`.
 * @param options - `allowlist`.
 * @returns The payload, or `undefined` when there is nothing to hash.
 * @throws {@link CapabilityError} `invalid-context`, `too-deep` or `invalid-argument` as
 * {@link normalizeInvocationContextForHash}
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
  checkArgument("options", options, "object");
  const normalized = normalizeInvocationContextForHash(context, options);
  return normalized && { kind: "invocation", context: normalized };
}

/**
 * Returns the SHA-256 of {@link invocationContextCanonicalPayload}.
 *
 * @param context - As for `normalizeInvocationContextForHash`.
 * @param options - `allowlist`, and the order of keys.
 * @returns 64 lowercase hex digits, or `undefined` when there is nothing to hash.
 * @throws {@link CapabilityError} `invalid-context`, `too-deep` or `invalid-argument` as
 * {@link normalizeInvocationContextForHash}
 * @see Capability hashing, "Invocation binding (`invocationHash`, optional)"
 * @example
 * ```ts
 * import { computeInvocationContextHash } from "@agentprint/agent-capabilities";
 *
 * computeInvocationContextHash({}); // undefined
 * ```
 */
export function computeInvocationContextHash(context: unknown, options: InvocationOptions = {}): string | undefined {
  checkArgument("options", options, "object");
  const payload = invocationContextCanonicalPayload(context, options);
  return payload && hashPlainObject(payload, options);
}

type Path = readonly (string | number)[];

interface Copier {
  readonly compare: (a: string, b: string) => number;
  /** The objects and arrays around the value that is being copied, to detect cycles. */
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
    if (value !== undefined) setOwnMember(copy, key, value);
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
      throw reject(path, (place) => `not JSON-serializable at ${place} (${typeof value}) — use strings or numbers`);
    case "object":
      return value === null ? null : copyContainer(value, path, copier);
    default:
      return value;
  }
}

function copyContainer(value: object, path: Path, copier: Copier): unknown {
  const date = read(path, () => (value instanceof Date ? { time: Date.prototype.getTime.call(value) } : undefined));
  if (date !== undefined) {
    if (Number.isNaN(date.time)) throw reject(path, (place) => `has an invalid Date at ${place} — use a valid one`);
    return new Date(date.time).toISOString();
  }
  const isArray = read(path, () => Array.isArray(value));
  const keys = read(path, () => (isArray ? [] : isPlainObject(value) && Object.keys(value)));
  if (keys === false) {
    throw reject(path, (place) => `expects a plain object at ${place} — use JSON-serializable data only`);
  }
  if (copier.open.has(value)) throw reject(path, (place) => `is circular at ${place}`);
  if (path.length > MAX_CONTEXT_LEVELS) {
    throw new CapabilityError("too-deep", `invocationContext: expected at most ${MAX_CONTEXT_LEVELS} levels`, { path });
  }
  copier.open.add(value);
  const copy = isArray
    ? read(path, () => copyArray(value as readonly unknown[], path, copier))
    : copyObject(value, keys, path, copier);
  copier.open.delete(value);
  return copy;
}

/** Runs `readValue`. If a getter or a proxy throws, the error has the value's path. */
function read<T>(path: Path, readValue: () => T): T {
  return guarded("invalid-context", `invocationContext${pathText(path)}`, readValue, { path });
}

/**
 * Returns an error whose message has the form that golden vectors fix: dots between keys, brackets around indexes.
 */
function reject(path: Path, toProblem: (place: string) => string): CapabilityError {
  return new CapabilityError("invalid-context", `invocationContext ${toProblem(pathText(path).replace(/^\./, ""))}`, {
    path,
  });
}

function pathText(path: Path): string {
  return path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");
}
