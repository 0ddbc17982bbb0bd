import { toPointer } from "@agentprint/canonical-json";
import type { SpecWarning } from "./spec-warnings.ts";
import { isStandardSchema } from "./standard-schema.ts";

/** What of a value JSON does not show. */
export interface UnseenValues {
  readonly warnings: readonly SpecWarning[];
  /** Whether there is a Standard Schema in it. */
  readonly hasSchemas: boolean;
}

interface Place {
  readonly value: unknown;
  readonly key: string;
  readonly path: string;
  readonly parent: "object" | "array" | "toJSON";
}

type Warn = (code: SpecWarning["code"], message: string) => void;

/** When there are more warnings than these, the last one counts the others. */
const MOST_WARNINGS = 20;

/** Every place in an object that can change without a change of its JSON, outer ones first. A shared object is visited once. */
export function findUnseen(root: object): UnseenValues {
  const warnings: SpecWarning[] = [];
  const seen = new Set<object>();
  const places: Place[] = [{ value: root, key: "", path: "", parent: "object" }];
  let hidden = 0;
  let hasSchemas = false;
  for (const place of places) {
    const { value, path } = place;
    if (isObject(value)) {
      if (seen.has(value)) continue;
      seen.add(value);
      hasSchemas ||= isStandardSchema(value);
    }
    const inside = lookAt(place, (code, message) => {
      if (warnings.length < MOST_WARNINGS) warnings.push({ code, path, message });
      else hidden++;
    });
    for (const next of inside) places.push(next);
  }
  if (hidden > 0) {
    const message = `${hidden + 1} more places hold something that is not hashed and are not listed`;
    warnings[MOST_WARNINGS - 1] = { code: "more-unseen", path: "", message };
  }
  return { warnings, hasSchemas };
}

/** Warns of a value and gives the places inside it, as `JSON.stringify` goes on to them. */
function lookAt({ value, key, path, parent }: Place, warn: Warn): Place[] {
  if (isStandardSchema(value)) {
    warn("schema-by-json-schema", "a schema is hashed by its JSON Schema, which has no refinements or transformations");
    return [];
  }
  if (isObject(value)) {
    const { toJSON } = value as { readonly toJSON?: unknown };
    if (parent !== "toJSON" && typeof toJSON === "function") {
      warn("custom-json", "a value with toJSON is hashed as toJSON writes it: what else it holds is not");
      return [{ value: toJSON.call(value, key), key, path, parent: "toJSON" }];
    }
    if (typeof value === "function") warn("unhashed-function", "a function is not hashed");
    else return Array.isArray(value) ? lookAtArray(value, path, warn) : lookAtObject(value, path, warn);
  } else if (typeof value === "symbol") warn("hidden-members", "a symbol is not hashed");
  else if (value === undefined && parent === "array") warn("altered-value", "undefined is hashed as null");
  else if (Object.is(value, -0)) warn("altered-value", "-0 is hashed as 0");
  else if (typeof value === "number" && !Number.isFinite(value)) warn("altered-value", `${value} is hashed as null`);
  return [];
}

function lookAtArray(array: readonly unknown[], path: string, warn: Warn): Place[] {
  // Indexes come first in the order of own keys, then the length, then what JSON does not write.
  const isBare =
    Reflect.ownKeys(array).at(-1) === "length" && isRoot(Object.getPrototypeOf(prototypeOf(array) ?? array));
  if (!isBare) warn("hidden-members", "of an array only its elements are hashed");
  return Array.from(array, (value, index) => ({
    value,
    key: String(index),
    path: `${path}/${index}`,
    parent: "array" as const,
  })).filter(({ value }) => mayHide(value));
}

function lookAtObject(object: object, path: string, warn: Warn): Place[] {
  if (hasHiddenMembers(object)) {
    warn("hidden-members", "of an object only its own enumerable members are hashed, and this one has others");
  }
  return Object.entries(object).flatMap(([key, value]): Place[] =>
    mayHide(value) ? [{ value, key, path: path + toPointer([key]), parent: "object" }] : [],
  );
}

/** Whether an object is not plain, or has members that are symbols or not enumerable. */
export function hasHiddenMembers(object: object): boolean {
  return !isPlainObject(object) || Reflect.ownKeys(object).length !== Object.keys(object).length;
}

/** Whether an object inherits nothing but from the `Object.prototype` of some realm. */
export function isPlainObject(object: object): boolean {
  const prototype = prototypeOf(object);
  return prototype === null || isRoot(prototype);
}

/** Texts, booleans, null and most numbers are hashed as they are. */
function mayHide(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value) || Object.is(value, -0);
  return value !== null && typeof value !== "string" && typeof value !== "boolean";
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function prototypeOf(value: object): object | null {
  return Object.getPrototypeOf(value);
}

/** Whether it is the `Object.prototype` of some realm. */
function isRoot(value: object | null): boolean {
  return value !== null && prototypeOf(value) === null && Object.hasOwn(value, "hasOwnProperty");
}
