import { canonicalize, canonicalizeToBytes, hashCanonical, sha256Hex } from "@agentprint/canonical-json";
import { runs } from "@agentprint/testing/property-runs";
import rfc8785 from "canonicalize";
import fc from "fast-check";
import { expect, test } from "vitest";
import { testCuts, testDifferential } from "./differential.ts";

testDifferential(runs(500));
testCuts(runs(20));

test("text that outgrows the buffer, in strings, numbers and members", () => {
  const sizes = fc.constantFrom(16_383, 16_384, 16_385, 43_690, 65_535, 131_070, 131_072, 400_000);
  fc.assert(
    fc.property(sizes, fc.constantFrom("a", "é", "€", "😀", '"', "\u0001"), fc.nat(3), (size, unit, shift) => {
      const long = "-".repeat(shift) + unit.repeat(Math.ceil(size / unit.length));
      const value = {
        long,
        list: Array.from({ length: size >> 5 }, (_, i) => (i % 900 === 7 ? `n${i}` : i / 7)),
        [long.slice(0, 9000 + shift)]: 1,
      };
      const expected = rfc8785(value) as string;
      expect(canonicalize(value) === expected).toBe(true);
      expect(hashCanonical(value)).toBe(sha256Hex(expected));
    }),
    { numRuns: runs(20) },
  );
});

test("any text in any place is escaped as JSON.stringify does, and a lone surrogate is refused where it must be", () => {
  const unit = fc.constantFrom(
    "一",
    "é",
    "a",
    "\u007f",
    "\u0080",
    "\u07ff",
    "\u0800",
    "😀",
    "\u{10ffff}",
    "\ue000",
    '"',
  );
  const half = fc.constantFrom("\ud800", "\udbff", "\udc00", "\udfff");
  const any = fc.string({
    unit: fc.oneof({ weight: 40, arbitrary: unit }, { weight: 1, arbitrary: half }),
    maxLength: 200,
  });
  fc.assert(
    fc.property(any, (content) => {
      const value = { [content]: content };
      const expected = JSON.stringify(value);
      expect(canonicalize(value, { profile: "ecmascript" })).toBe(expected);
      expect(Buffer.from(canonicalizeToBytes(value, { profile: "ecmascript" })).toString()).toBe(expected);
      if (content.isWellFormed()) expect(canonicalize(value)).toBe(expected);
      else expect(() => canonicalize(value)).toThrow(expect.objectContaining({ code: "lone-surrogate" }));
    }),
    { numRuns: runs(150) },
  );
});
