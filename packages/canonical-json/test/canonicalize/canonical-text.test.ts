import { CanonicalJsonError, canonicalize, canonicalText, precanonicalize } from "@agentprint/canonical-json";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";

/** Returns the text, or the code and place of the error. */
function outcomeOf(write: () => string): string {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    return `${error.code} at ${error.path}: ${error.message}`;
  }
}

test("without options, the text and the errors are those of canonicalize", () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, maxDepth: 4 }), (value) => {
      expect(outcomeOf(() => canonicalText(value))).toBe(outcomeOf(() => canonicalize(value)));
    }),
    { numRuns: runs(300) },
  );
});

test.each([1, 32, 33, 499, 500, 2_000])("%i members are in the order of canonicalize", (count) => {
  const names = fc.uniqueArray(fc.string({ unit: "grapheme", maxLength: 6 }), { minLength: 1 });
  fc.assert(
    fc.property(names, (some) => {
      const keys = Array.from({ length: count }, (_, index) => `${some[index % some.length]}${index}`);
      const value = Object.fromEntries(keys.map((key) => [key, 0]));
      expect(canonicalText(value)).toBe(canonicalize(value));
    }),
    { numRuns: runs(5) },
  );
});

test("one level more than allowed is refused", () => {
  expect(canonicalText([[]], 2)).toBe("[[]]");
  expect(outcomeOf(() => canonicalText([[[]]], 2))).toBe(outcomeOf(() => canonicalize([[[]]], { maxDepth: 2 })));
  expect(() => canonicalText([[[]]], 2)).toThrow(expect.objectContaining({ code: "too-deep", path: "/0/0" }));
});

test("a part that was written with the same options is copied", () => {
  const part = precanonicalize({ b: 1, a: 2 });
  expect(canonicalText([part])).toBe('[{"a":2,"b":1}]');
  expect(() => canonicalText([precanonicalize({}, { keyOrder: "locale" })])).toThrow("another profile or key order");
});
