import { canonicalize, hashCanonical } from "@agentprint/canonical-json";
import { afterEach, expect, test } from "vitest";
import { nest, PROFILES, thrown } from "./hostile.ts";

const polluted = Object.prototype as unknown as Record<string, unknown>;
const pollutedArray = Array.prototype as unknown as Record<string, unknown>;
afterEach(() => {
  delete polluted["evil"];
  delete polluted["toJSON"];
  delete polluted["0"];
  delete polluted["2"];
  delete pollutedArray["1"];
  pollutedArray["length"] = 0;
  delete pollutedArray["toJSON"];
  delete (Symbol.prototype as unknown as Record<string, unknown>)["toJSON"];
  delete (BigInt.prototype as unknown as Record<string, unknown>)["toJSON"];
});

test("inherited enumerable keys are not data", () => {
  polluted["evil"] = "x";
  expect(canonicalize({ a: [{}] })).toBe('{"a":[{}]}');
});

test("an inherited toJSON is called once for each array, as in JSON.stringify", () => {
  const value = { a: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] };
  pollutedArray["toJSON"] = function (this: unknown[]) {
    return [...this, "seen"];
  };
  expect(canonicalize(value)).toBe('{"a":[1,2,3,4,5,6,7,8,9,10,"seen"]}');
});

test("an inherited toJSON is not asked about a primitive, at the root or inside", () => {
  polluted["toJSON"] = () => "polluted";
  const inside = Object.create(null) as object; // which inherits nothing itself
  for (const value of ["a", 1, true, null]) {
    const holder = Object.assign(inside, { value });
    for (const profile of PROFILES) {
      expect(canonicalize(value, { profile })).toBe(JSON.stringify(value));
      expect(canonicalize(holder, { profile })).toBe(JSON.stringify(holder));
    }
  }
  expect(hashCanonical("a")).not.toBe(hashCanonical("b"));
});

test("of the primitives, only a BigInt is asked for its toJSON, as in JSON.stringify", () => {
  (Symbol.prototype as unknown as Record<string, unknown>)["toJSON"] = () => "symbol";
  (BigInt.prototype as unknown as Record<string, unknown>)["toJSON"] = () => "bigint";
  const value = [Symbol("s"), 1n, { s: Symbol("s"), n: 1n }];
  expect(canonicalize(value, { profile: "ecmascript" })).toBe('[null,"bigint",{"n":"bigint"}]');
  expect(JSON.stringify(value)).toBe('[null,"bigint",{"n":"bigint"}]');
  expect(thrown(() => canonicalize([Symbol("s")]))).toMatchObject({ code: "symbol", path: "/0" });
  expect(thrown(() => canonicalize(Symbol("s"), { profile: "ecmascript" })).code).toBe("undefined");
});

test("inherited enumerable keys are no options", () => {
  polluted["evil"] = "x";
  expect(canonicalize([1], { profile: "ecmascript" })).toBe("[1]");
  expect(() => canonicalize([1], { evil: 1 } as object)).toThrow(expect.objectContaining({ code: "invalid-option" }));
});

test("a hole is not an element, whatever a prototype has at its index", () => {
  polluted["0"] = "polluted";
  polluted["2"] = 7;
  pollutedArray["1"] = { a: 1 };
  const holes = (length: number, ...own: number[]) =>
    Object.assign(new Array(length), Object.fromEntries(own.entries()));
  const cases: readonly [unknown, string][] = [
    [new Array(1), "/0"],
    [{ a: [holes(2, 5)] }, "/a/0/1"],
    [holes(9, 1, 2), "/2"],
    [nest(500, (inner) => [inner], [new Array(1)]), "/0".repeat(502)],
  ];
  for (const [value, path] of cases) {
    expect(thrown(() => canonicalize(value))).toMatchObject({ code: "undefined", path });
    expect(canonicalize(value, { profile: "ecmascript" })).toBe(JSON.stringify(value));
  }
  const virtual = new Proxy([], { get: (_, key) => (key === "length" ? 4 : key === "toJSON" ? undefined : "got") });
  delete polluted["0"];
  expect(canonicalize([1, "a", null, {}, [1, 2, 3, 4, 5, 6, 7, 8]])).toBe('[1,"a",null,{},[1,2,3,4,5,6,7,8]]');
  pollutedArray["length"] = 0;
  delete polluted["2"];
  polluted["evil"] = "x";
  expect(canonicalize(virtual)).toBe('["got","got","got","got"]');
});
