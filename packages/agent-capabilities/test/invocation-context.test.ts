import { describe, expect, test } from "vitest";
import {
  computeInvocationContextHash,
  invocationContextCanonicalPayload,
  normalizeInvocationContextForHash,
} from "../src/index.ts";

const circularList: unknown[] = [];
circularList.push(circularList);
const circular: { child: Record<string, unknown> } = { child: {} };
circular.child["back"] = circular.child;

describe("a value that cannot be hashed has its pointer", () => {
  const refused: [string, unknown, string, string][] = [
    [
      "function",
      { a: { run: () => 1 } },
      "invocationContext not JSON-serializable at a.run (function) — use strings or numbers",
      "/a/run",
    ],
    [
      "bigint",
      { ids: [1n] },
      "invocationContext not JSON-serializable at ids[0] (bigint) — use strings or numbers",
      "/ids/0",
    ],
    [
      "symbol",
      { s: Symbol("s") },
      "invocationContext not JSON-serializable at s (symbol) — use strings or numbers",
      "/s",
    ],
    [
      "class instance",
      { at: new URL("https://example.org") },
      "invocationContext expects a plain object at at — use JSON-serializable data only",
      "/at",
    ],
    [
      "Map",
      { m: [new Map()] },
      "invocationContext expects a plain object at m[0] — use JSON-serializable data only",
      "/m/0",
    ],
    [
      "boxed text",
      { s: Object("s") },
      "invocationContext expects a plain object at s — use JSON-serializable data only",
      "/s",
    ],
    ["cycle", circular, "invocationContext is circular at child.back", "/child/back"],
    ["cycle through an array", { list: circularList }, "invocationContext is circular at list[0]", "/list/0"],
    [
      "invalid date",
      { at: new Date(Number.NaN) },
      "invocationContext has an invalid Date at at — use a valid one",
      "/at",
    ],
  ];
  test.each(refused)("%s", (_name, context, message, path) => {
    expect(() => computeInvocationContextHash(context)).toThrow(
      expect.objectContaining({ code: "invalid-context", message, path }),
    );
  });

  test("a schema of a million levels is hashed", () => {
    let deep: object = {};
    for (let level = 0; level < 1_000_000; level++) deep = level % 2 ? [deep] : { deep };
    expect(() => computeInvocationContextHash({ deep })).toThrow(expect.objectContaining({ code: "too-deep" }));
  });
});

describe("a value that is not a context, or is an empty one", () => {
  test.each([undefined, null, "text", 1, [], new Date(0), new Map([["a", 1]]), () => 1, {}, { a: undefined }])(
    "%s",
    (context) => {
      expect(computeInvocationContextHash(context)).toBeUndefined();
      expect(invocationContextCanonicalPayload(context)).toBeUndefined();
    },
  );
});

describe("normalization", () => {
  test("shared objects, null prototypes, dates, holes and __proto__", () => {
    const shared = { x: 1 };
    const context = Object.assign(Object.create(null), {
      a: shared,
      b: shared,
      at: new Date(0),
      list: Object.assign(new Array(3), { 0: undefined, 2: null }),
    });
    Object.defineProperty(context, "__proto__", { value: "kept", enumerable: true });
    const normalized = normalizeInvocationContextForHash(context);
    expect(JSON.stringify(normalized)).toBe(
      '{"__proto__":"kept","a":{"x":1},"at":"1970-01-01T00:00:00.000Z","b":{"x":1},"list":[null]}',
    );
  });

  test("an allowlist keeps top-level keys, an empty one keeps all, and other keys are not read", () => {
    const context = { keep: { toString: 1 }, drop: () => 1 };
    expect(normalizeInvocationContextForHash(context, { allowlist: ["keep", "constructor"] })).toEqual({
      keep: { toString: 1 },
    });
    expect(normalizeInvocationContextForHash({ a: 1 }, { allowlist: [] })).toEqual({ a: 1 });
    expect(normalizeInvocationContextForHash({ a: 1 }, { allowlist: ["b"] })).toBeUndefined();
  });
});
