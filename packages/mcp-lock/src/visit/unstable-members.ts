import { diffJson, fromPointer, isJsonObject, type JsonValue, toPointer } from "@agentprint/canonical-json";
import { groupEntries } from "../group-entries.ts";
import type { SessionReadings } from "./read-session.ts";

/**
 * The members of a greeting that a model reads or that a client's decisions depend on; they must be the same in every
 * answer.
 */
const STEADY = ["capabilities", "instructions"];

/**
 * Returns the members next to the items that sessions read, with one value for each reading. `greeting` holds the
 * members of the results of `initialize` or `server/discover`; the name of a list holds the members next to its items.
 */
export function memberReadings(sessions: readonly SessionReadings[]): ReadonlyMap<string, readonly JsonValue[]> {
  const entries = sessions.flatMap(({ greetings, lists }): [string, JsonValue][] => [
    ...greetings.map((greeting): [string, JsonValue] => [
      "greeting",
      Object.fromEntries(Object.entries(greeting).filter(([name]) => !STEADY.includes(name))),
    ]),
    ...Object.entries(lists).flatMap(([list, readings]) =>
      readings.map(({ members = {} }): [string, JsonValue] => [list, members]),
    ),
  ]);
  return groupEntries(entries);
}

/**
 * Returns the pointers to the values that differ between answers to the same question, such as
 * `/tools/_meta/requestId`.
 */
export function findUnstable(readings: ReadonlyMap<string, readonly JsonValue[]>): string[] {
  const pointers = [...readings].flatMap(([question, [first, ...others]]) =>
    others.flatMap((other) => diffJson(first, other).map(({ pointer }) => toPointer([question]) + pointer)),
  );
  return [...new Set(pointers)].sort();
}

/** Returns whether a pointer leads to one of the places, or below it. */
export function isBelow(pointer: string, places: readonly string[]): boolean {
  return places.some((place) => pointer === place || pointer.startsWith(`${place}/`));
}

/**
 * Returns the value without the members that the pointers lead to. `null` replaces an element of an array; `{}` is
 * returned if a pointer leads to the complete value.
 */
export function withoutMembers(question: string, value: JsonValue, pointers: readonly string[]): JsonValue {
  if (isBelow(toPointer([question]), pointers)) return {};
  return pointers.reduce<JsonValue>((kept, pointer) => {
    const [first, ...path] = fromPointer(pointer);
    return first === question ? without(kept, path) : kept;
  }, value);
}

function without(value: JsonValue, [name, ...rest]: readonly string[]): JsonValue {
  if (name === undefined || typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return value;
  if (Array.isArray(value)) {
    return value.map((item, index) => (String(index) !== name ? item : rest.length === 0 ? null : without(item, rest)));
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      if (key !== name) return [[key, member]];
      return rest.length === 0 ? [] : [[key, without(member, rest)]];
    }),
  );
}

/** Returns whether a value is an object without members, which leaves nothing to pin. */
export function isEmpty(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
