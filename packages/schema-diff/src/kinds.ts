import type { JsonValue } from "@agentprint/canonical-json";

/*
 * The kinds that partition all JSON values. They are the types of JSON Schema, except that its overlapping pair
 * integer/number is split into integers and fractions. A set of kinds is a bit mask.
 */
export const NULL = 1;
export const BOOLEAN = 2;
export const INTEGER = 4;
export const FRACTION = 8;
export const STRING = 16;
export const ARRAY = 32;
export const OBJECT = 64;
export const NUMBER: number = INTEGER | FRACTION;
export const ALL = 127;

export const KINDS: readonly number[] = [STRING, INTEGER, BOOLEAN, NULL, OBJECT, ARRAY, FRACTION];

const MASKS: ReadonlyMap<string, number> = new Map([
  ["array", ARRAY],
  ["boolean", BOOLEAN],
  ["integer", INTEGER],
  ["null", NULL],
  ["number", NUMBER],
  ["object", OBJECT],
  ["string", STRING],
]);

/** Returns the kinds of value that a `type` name includes. */
export function maskOfType(name: string): number | undefined {
  return MASKS.get(name);
}

/** Returns the shortest list of `type` names for a set of kinds. A set of fractions without integers is written as `number`. */
export function typeNames(kinds: number): string[] {
  return [...MASKS].filter(([name, mask]) => named(name, mask, kinds)).map(([name]) => name);
}

function named(name: string, mask: number, kinds: number): boolean {
  if (name === "integer") return (kinds & NUMBER) === INTEGER;
  if (name === "number") return (kinds & FRACTION) !== 0;
  return (kinds & mask) !== 0;
}

/** Returns the kind of a JSON value. */
export function kindOf(value: JsonValue): number {
  switch (typeof value) {
    case "string":
      return STRING;
    case "number":
      return Number.isInteger(value) ? INTEGER : FRACTION;
    case "boolean":
      return BOOLEAN;
    default:
      return value === null ? NULL : Array.isArray(value) ? ARRAY : OBJECT;
  }
}
