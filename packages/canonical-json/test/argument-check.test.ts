import { expect, test } from "vitest";
import { ArgumentError, type ArgumentForm, argumentCheck } from "../src/json-value/index.ts";

const check = argumentCheck();

const accepted: readonly [unknown, ArgumentForm][] = [
  [[], "array"],
  [false, "boolean"],
  [new Uint8Array(), "bytes"],
  [() => {}, "function"],
  [new Set(), "iterable"],
  [(async function* () {})(), "iterable"],
  [Number.NaN, "number"],
  [{}, "object"],
  [class {}, "objectOrFunction"],
  ["", "string"],
  [undefined, "string?"],
  [[{ a: 1 }], [{ a: "number", b: "string?" }]],
];

test.each(accepted)("accepts %o as %o", (value, form) => {
  expect(() => check("given", value, form)).not.toThrow();
});

const refused: readonly [unknown, ArgumentForm, string][] = [
  [null, "object", "given: expected an object, received null"],
  [[], "object", "given: expected an object, received array"],
  [() => {}, "object", "given: expected an object, received function"],
  [null, "string?", "given: expected a string, received null"],
  ["ab", "iterable", "given: expected an iterable, such as an array, received string"],
  ["ab", "bytes", "given: expected bytes (a Uint8Array), received string"],
  [[[1], ["a"]], [["number"]], "given[1][0]: expected a number, received string"],
  [{ a: { b: 1 } }, { a: { b: "boolean" } }, "given.a.b: expected true or false, received number"],
  [undefined, { a: "number" }, "given: expected an object, received undefined"],
  [{}, { a: "function" }, "given.a: expected a function, received undefined"],
];

test.each(refused)("refuses %o as %o", (value, form, message) => {
  expect(() => check("given", value, form)).toThrow(new ArgumentError(message));
});

test("throws the error of the package that checks", () => {
  expect(() => argumentCheck((message) => new RangeError(message))("n", "1", "number")).toThrow(RangeError);
  expect(new ArgumentError("n: expected a number")).toMatchObject({ name: "ArgumentError", code: "invalid-argument" });
});
