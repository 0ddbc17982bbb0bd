import { canonicalize, isSameJson, type JsonValue } from "@agentprint/canonical-json";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { anyJson } from "./arbitraries.ts";

function nested(depth: number, inside: JsonValue): JsonValue {
  let value = inside;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

describe("isSameJson", () => {
  test.each<[string, JsonValue | undefined, JsonValue | undefined, boolean]>([
    ["members in another order", { a: 1, b: 2 }, { b: 2, a: 1 }, true],
    ["elements in another order", [1, 2], [2, 1], false],
    ["zero and minus zero", 0, -0, true],
    ["a longer array", [1], [1, 2], false],
    ["an array and an object", [], {}, false],
    ["an object and an array", {}, [], false],
    ["null and an object", null, {}, false],
    ["a text and a number", "1", 1, false],
    ["an inherited name", { toString: 1 }, { a: 1 }, false],
    ["absent values", undefined, undefined, true],
    ["null and an absent value", null, undefined, false],
  ])("%s", (_what, a, b, expected) => {
    expect(isSameJson(a, b)).toBe(expected);
  });

  test("two values are the same if and only if their canonical texts are the same", () => {
    fc.assert(
      fc.property(anyJson, anyJson, (a, b) => {
        expect(isSameJson(a, b)).toBe(canonicalize(a) === canonicalize(b));
        expect(isSameJson(a, structuredClone(a))).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });

  test("a property of Object.prototype is not a member", () => {
    const prototype = Object.prototype as Record<string, unknown>;
    prototype["polluted"] = 1;
    onTestFinished(() => void delete prototype["polluted"]);
    expect(isSameJson({ a: { b: 1 } }, { a: { b: 1 } })).toBe(true);
    expect(isSameJson({ polluted: 1 }, {})).toBe(false);
    expect(isSameJson({}, { polluted: 1 })).toBe(false);
  });

  test("nesting of any depth does not overflow the call stack", () => {
    expect(isSameJson(nested(200_000, 1), nested(200_000, 1))).toBe(true);
    expect(isSameJson(nested(200_000, 1), nested(200_000, 2))).toBe(false);
  });
});
