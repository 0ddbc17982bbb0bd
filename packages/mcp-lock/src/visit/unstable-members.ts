import { diffJson, fromPointer, isJsonObject, type JsonValue, toPointer } from "@agentprint/canonical-json";
import type { SessionReadings } from "./read-session.ts";

/** The members of a greeting that reach a model or a client's decisions: they have to hold still. */
const STEADY = ["capabilities", "instructions"];

/**
 * Everything outside the items that a session read: under `greeting` the other members of the results of `initialize`
 * or `server/discover`, under the name of each list the members beside its items. One value a reading.
 */
export function memberReadings({ greetings, lists }: SessionReadings): ReadonlyMap<string, readonly JsonValue[]> {
  const members = new Map<string, readonly JsonValue[]>();
  members.set(
    "greeting",
    greetings.map((greeting) =>
      Object.fromEntries(Object.entries(greeting).filter(([name]) => !STEADY.includes(name))),
    ),
  );
  for (const [list, readings] of Object.entries(lists)) {
    members.set(
      list,
      readings.map((reading) => reading.members ?? {}),
    );
  }
  return members;
}

/** Pointers to what differs between answers to one question, such as `/tools/_meta/requestId`. */
export function findUnstable(readings: ReadonlyMap<string, readonly JsonValue[]>): string[] {
  const pointers = [...readings].flatMap(([question, [first, ...others]]) =>
    others.flatMap((other) => diffJson(first, other).map(({ pointer }) => toPointer([question]) + pointer)),
  );
  return [...new Set(pointers)].sort();
}

/** Whether a pointer leads to one of the places, or below it. */
export function isBelow(pointer: string, places: readonly string[]): boolean {
  return places.some((place) => pointer === place || pointer.startsWith(`${place}/`));
}

/** The same value without what the pointers lead to; in an array `null` takes its place. `{}` where all of it is left out. */
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

/** Whether nothing is left that could be pinned. */
export function isEmpty(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
