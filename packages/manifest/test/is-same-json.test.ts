import { canonicalize, type JsonValue } from "@agentprint/canonical-json";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isSameJson } from "../src/diff/is-same-json.ts";

const keys = fc.constantFrom("a", "b", "1", "__proto__", "constructor");
const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue>(null, true, 0, -0, 1, "", "a"),
    fc.array(tie("json"), { maxLength: 2 }),
    fc.array(fc.tuple(keys, tie("json")), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

test("two values are the same exactly when their canonical texts are", () => {
  fc.assert(
    fc.property(json, json, (a, b) => {
      expect(isSameJson(a, b)).toBe(canonicalize(a) === canonicalize(b));
      expect(isSameJson(a, JSON.parse(canonicalize(a)))).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test.each<[string, unknown, unknown]>([
  ["an array and an object", [], {}],
  ["an own __proto__ and none", JSON.parse('{"__proto__": {}}'), { a: 1 }],
])("%s are not the same", (_name, a, b) => {
  expect(isSameJson(a as JsonValue, b as JsonValue)).toBe(false);
});
