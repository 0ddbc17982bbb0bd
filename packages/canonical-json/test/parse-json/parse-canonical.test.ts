import { canonicalize, parseCanonical } from "@agentprint/canonical-json";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";

test.each(["rfc8785", "ecmascript"] as const)("is the inverse of canonicalize, %s", (profile) => {
  const unit = profile === "rfc8785" ? "binary" : fc.integer({ max: 0xffff }).map((code) => String.fromCharCode(code));
  const text = fc.string({ unit: unit as "binary", maxLength: 5 });
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("json")),
      fc.dictionary(text, tie("json")),
    ),
  }));
  fc.assert(
    fc.property(json, (value) => {
      const written = attempt(() => canonicalize(value, { profile }));
      fc.pre(written !== undefined);
      expect(canonicalize(parseCanonical(written, { profile }), { profile })).toBe(written);
    }),
    { numRuns: runs(250) },
  );
});

test("reads names that Node 24 can misread (nodejs/node#63785)", () => {
  for (let round = 0; round < 20; round++) {
    for (const name of ["\\", "\n", '"']) {
      const value = { first: 1, [name]: 2 };
      JSON.parse(JSON.stringify(value));
      expect(parseCanonical(canonicalize(value))).toEqual(value);
    }
  }
});

test("has no limit of depth", () => {
  const text = "[".repeat(200_000) + "]".repeat(200_000);
  expect(canonicalize(parseCanonical(text)) === text).toBe(true);
});

test("reads other texts as parseJson does", () => {
  expect(parseCanonical('{ "b": 1, "a": "\\u0061" }')).toEqual({ a: "a", b: 1 });
  expect(() => parseCanonical("{")).toThrow(expect.objectContaining({ code: "unexpected-end", column: 2 }) as Error);
  expect(() => parseCanonical('{"a\\n":1,"a\\n":2}')).toThrow(
    expect.objectContaining({ code: "duplicate-key" }) as Error,
  );
});

function attempt<T>(job: () => T): T | undefined {
  try {
    return job();
  } catch {
    return undefined;
  }
}
