import { type Schema, subschemas } from "./schemas.ts";

/** Returns a small, reproducible source of choices. */
export function choices(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const STRINGS = [
  "",
  "a",
  "b",
  "ab",
  "abc",
  "abcd",
  "foo",
  "bar",
  "x-1",
  "x-",
  "1",
  "zzz",
  "ba",
  "a b",
  "2024-01-31",
  "a@example.com",
  "https://example.com/",
  "\u{1f600}",
];
const NUMBERS = [0, 1, -1, 2, 3, 6, 7, 8, 12, 0.1, 0.3, 0.5, -0.5, 1.5, 2.5, 100, -100, 1e9];

/** Returns values near every boundary that the schemas mention, and random combinations of them. */
export function samplesOf(schemas: readonly Schema[], seed: number, count: number): unknown[] {
  const pick = choices(seed);
  const nodes = schemas.flatMap((schema) => subschemas(schema));
  const constants = nodes.flatMap((node) => [
    ...((node["enum"] as unknown[] | undefined) ?? []),
    ...("const" in node ? [node["const"]] : []),
  ]);
  const limits = nodes.flatMap((node) => Object.values(node).filter((value) => typeof value === "number"));
  const numbers = [...NUMBERS, ...limits.flatMap((n) => [n, n - 1, n + 1, n + 0.5, n * 2, n * 3])];
  const strings = [
    ...STRINGS,
    ...limits.filter((n) => Number.isInteger(n) && n >= 0 && n < 50).flatMap((n) => ["a".repeat(n), "b".repeat(n + 1)]),
  ];
  const names = [
    ...new Set([
      ...nodes.flatMap((node) => Object.keys((node["properties"] as object | undefined) ?? {})),
      "a",
      "b",
      "x-1",
      "other",
    ]),
  ];
  const one = <T>(list: readonly T[]): T => list[pick(list.length)] as T;
  const value = (depth: number): unknown => {
    switch (pick(depth > 2 ? 5 : 9)) {
      case 0:
        return constants.length > 0 ? one(constants) : null;
      case 1:
        return one(numbers);
      case 2:
        return one(strings);
      case 3:
        return one([null, true, false]);
      case 4:
        return one([{}, []]);
      case 5:
        return Array.from({ length: pick(4) }, () => value(depth + 1));
      case 6: {
        const item = value(depth + 1);
        return Array.from({ length: 1 + pick(3) }, () => item);
      }
      default:
        return Object.fromEntries(Array.from({ length: pick(4) }, () => [one(names), value(depth + 1)]));
    }
  };
  return [
    null,
    true,
    false,
    {},
    [],
    ...constants,
    ...numbers,
    ...strings,
    ...Array.from({ length: count }, () => value(0)),
  ];
}
