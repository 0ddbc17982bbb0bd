import { CanonicalJsonError, canonicalizeJson } from "@agentprint/canonical-json";
import { expect, test } from "vitest";

test("parses strictly, then canonicalizes", () => {
  expect(canonicalizeJson('{ "b": 1.0, "a": "\\u20ac" }')).toBe('{"a":"€","b":1}');
  expect(canonicalizeJson(new TextEncoder().encode('{"10":0,"9":-0}'))).toBe('{"10":0,"9":0}');
  expect(() => canonicalizeJson('{"a":1,"a":1}')).toThrow(CanonicalJsonError);
});

test("passes on the options of both", () => {
  expect(canonicalizeJson('{"a":1,"B":2}')).toBe('{"B":2,"a":1}');
  expect(canonicalizeJson('{"B":2,"a":1}', { keyOrder: "locale" })).toBe('{"a":1,"B":2}');
  expect(() => canonicalizeJson("[9007199254740993]", { losslessIntegers: true })).toThrow(/2\^53|9007199254740991/);
  expect(() => canonicalizeJson("[[1]]", { maxDepth: 1 })).toThrow(/levels of nesting/);
});

test("the canonical text of an accepted text is accepted, and canonical already", () => {
  const text = '{"n":[1e15,1.50,-0,1E-7,9007199254740991],"__proto__":{"\\ud83d\\ude00":"\\u0000"}}';
  const canonical = canonicalizeJson(text, { losslessIntegers: true });
  expect(canonicalizeJson(canonical, { losslessIntegers: true })).toBe(canonical);
});
