import { runInNewContext } from "node:vm";
import { canonicalize } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";

const PROFILES = ["rfc8785", "ecmascript"] as const;
const REALMS: readonly [name: string, evaluate: (source: string) => unknown][] = [
  ["this realm", (source) => new Function(`return ${source}`)() as unknown],
  ["another realm", (source) => runInNewContext(source) as unknown],
];

describe.each(REALMS)("values of %s", (_realm, evaluate) => {
  test.each([
    ["Object(1.5)", "1.5"],
    ["Object(-0)", "0"],
    ['Object("text")', '"text"'],
    ["Object(true)", "true"],
    ["Object(false)", "false"],
    ["new (class extends Number {})(2)", "2"],
    ["new (class extends String {})('s')", '"s"'],
    ["Object.assign(Object(3), { valueOf: () => 4 })", "4"],
    ["Object.assign(Object('s'), { toString: () => 't' })", '"t"'],
    ["Object.assign(Object(false), { valueOf: () => true })", "false"],
    ["Object.setPrototypeOf(Object(6), { valueOf: () => 7 })", "7"],
    ["new Proxy(Object('a'), {})", '{"0":"a"}'],
    ["new (class { get [Symbol.toStringTag]() { return 'Number'; } a = 1 })()", '{"a":1}'],
    ["new Date(0)", '"1970-01-01T00:00:00.000Z"'],
    ["({ a: [Object(1), { b: Object('s') }] })", '{"a":[1,{"b":"s"}]}'],
  ])("%s is what JSON.stringify writes", (source, text) => {
    const value = evaluate(source);
    expect(JSON.stringify(value)).toBe(text);
    for (const profile of PROFILES) {
      expect(canonicalize(value, { profile })).toBe(text);
      expect(canonicalize([value, { value }], { profile })).toBe(`[${text},{"value":${text}}]`);
    }
  });

  test.each([
    ["Object(1n)", "bigint"],
    ["Object.assign(Object(1), { valueOf: () => 1n })", "unreadable"], // ToNumber throws
    ["Object.create(Number.prototype)", "opaque-object"],
    ["Object.create(String.prototype)", "opaque-object"],
    ["Object.create(BigInt.prototype)", "opaque-object"],
    ["Object(Symbol('s'))", "opaque-object"],
    ["new Map()", "opaque-object"],
    ["new Uint8Array(1)", "opaque-object"],
    ["new Error('e')", "opaque-object"],
  ])("%s is refused with %s", (source, code) => {
    for (const profile of PROFILES) {
      expect(() => canonicalize([evaluate(source)], { profile })).toThrow(expect.objectContaining({ code }));
    }
  });
});

test.each([
  ["a number", Object.assign(Object(5), { [Symbol.toStringTag]: "Mine" }), "5"],
  ["a string", Object.assign(Object("s"), { [Symbol.toStringTag]: "Number" }), '"s"'],
  ["a boolean", Object.assign(Object(true), { [Symbol.toStringTag]: "Object" }), "true"],
])("%s in an object with another tag is what JSON.stringify writes", (_name, value, text) => {
  expect(JSON.stringify(value)).toBe(text);
  for (const profile of PROFILES) expect(canonicalize(value, { profile })).toBe(text);
});

test("a BigInt in an object with another tag is refused", () => {
  const value: unknown = Object.defineProperty(Object(1n), Symbol.toStringTag, { value: "Mine" });
  for (const profile of PROFILES) {
    expect(() => canonicalize([value], { profile })).toThrow(expect.objectContaining({ code: "bigint" }));
  }
});
