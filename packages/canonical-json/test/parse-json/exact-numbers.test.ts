import { parseJson, type Tolerable } from "@agentprint/canonical-json";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rejection } from "./rejection.ts";

const EXACT = { exactNumbers: true } as const;

/**
 * Returns a decimal number without exponent signs as an exact fraction: the numerator, and the power of ten below it.
 */
function fraction(text: string): { numerator: bigint; power: number } {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "", rest = ""] = mantissa.split(".");
  const power = rest.length - Number(exponent);
  return { numerator: BigInt(whole + rest), power };
}

/** Returns whether two decimal numbers have the same value, using integers of any size. */
function isSameDecimal(a: string, b: string): boolean {
  const [left, right] = [fraction(a), fraction(b)];
  const shift = Math.max(left.power, right.power);
  const scaled = ({ numerator, power }: typeof left) => numerator * 10n ** BigInt(shift - power);
  return scaled(left) === scaled(right);
}

test.each([
  "0",
  "-0",
  "-0.0e5",
  "0e400",
  "0.1",
  "1.0",
  "1e20",
  "1E+2",
  "100000000000000000000",
  "9007199254740992",
  "0.30000000000000004",
  "5e-324",
  "1.7976931348623157e308",
  "00.1e-2".slice(1),
])("%s is kept by a double", (text) => {
  expect(parseJson(`[${text}]`, EXACT)).toEqual([Number(text)]);
});

test.each([
  "9007199254740993",
  "-9007199254740993.0",
  "0.1000000000000000055",
  "3e-324",
  "1e-400",
  "123456789012345678",
])("%s is changed by a double", (text) => {
  expect(parseJson(`{"a":${text}}`)).toEqual({ a: Number(text) });
  const error = rejection(`{"a":${text}}`, EXACT);
  expect([error.code, error.path, error.column]).toEqual(["inexact-number", "/a", 6]);
});

test("a number is accepted if and only if its decimal value equals its double's shortest text", () => {
  const digits = fc.stringMatching(/^(?:0|[1-9]\d{0,24})(?:\.\d{1,24})?$/);
  const number = fc.tuple(digits, fc.option(fc.integer({ min: -340, max: 280 }), { nil: undefined }));
  const written = fc.oneof(
    number.map(([text, exponent]) => (exponent === undefined ? text : `${text}e${exponent}`)),
    fc.double({ noDefaultInfinity: true, noNaN: true, min: 0 }).map(String),
  );
  fc.assert(
    fc.property(written, (text) => {
      const value = Number(text);
      fc.pre(Number.isFinite(value));
      if (isSameDecimal(text, String(value))) expect(parseJson(text, EXACT)).toBe(value);
      else expect(rejection(text, EXACT).code).toBe("inexact-number");
    }),
    { numRuns: runs(100) },
  );
});

test("the caller decides about inexact numbers and escaped lone surrogates in values", () => {
  const asked: Tolerable[] = [];
  const tolerate = (found: Tolerable) => {
    asked.push(found);
    return found.path.startsWith("/free/");
  };
  const options = { ...EXACT, tolerate };
  expect(parseJson('{"free":[9007199254740993,"\\ud800\\udbff"]}', options)).toEqual({
    free: [9007199254740992, "\ud800\udbff"],
  });
  expect(asked).toEqual([
    { code: "inexact-number", path: "/free/0", text: "9007199254740993" },
    { code: "lone-surrogate", path: "/free/1" },
    { code: "lone-surrogate", path: "/free/1" },
  ]);
  expect(rejection('{"held":9007199254740993}', options).code).toBe("inexact-number");
  expect(rejection('{"held":"\\udfff"}', options).code).toBe("lone-surrogate");
  expect(rejection('{"free":{"\\udfff":1}}', options).code).toBe("lone-surrogate");
  expect(rejection('{"free":["\ud800"]}', options).code).toBe("lone-surrogate");
});

test("lone surrogates in member names are asked about only where the caller wants it", () => {
  const options = { tolerate: () => true, tolerateInNames: true };
  expect(parseJson('{"\\ud800":1,"\\ud801":2}', options)).toEqual({ "\ud800": 1, "\ud801": 2 });
  expect(rejection('{"\\ud800":1,"\\uD800":2}', options).code).toBe("duplicate-key");
  expect(rejection('{"\\ud800":1}', { tolerateInNames: true }).code).toBe("lone-surrogate");
  expect(rejection("1", { tolerateInNames: 1 as unknown as boolean }).code).toBe("invalid-option");
});

test("the options must be of use", () => {
  expect(rejection("1", { exactNumbers: 1 as unknown as boolean }).code).toBe("invalid-option");
  expect(rejection("1", { tolerate: true as unknown as () => boolean }).code).toBe("invalid-option");
});
