import {
  CanonicalJsonError,
  type CanonicalPart,
  canonicalize,
  hashCanonical,
  precanonicalize,
  sha256Hex,
} from "@agentprint/canonical-json";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const nest = (depth: number, innermost: unknown): unknown => {
  let value = innermost;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
};

/** Returns a copy in which some of the values, including nested ones, are parts. */
function withParts(value: unknown, isPart: () => boolean): unknown {
  let copy = value;
  if (Array.isArray(value)) copy = value.map((member) => withParts(member, isPart));
  else if (typeof value === "object" && value !== null) {
    copy = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withParts(member, isPart)]));
  }
  return isPart() ? precanonicalize(copy) : copy;
}

describe("a part that is canonical already", () => {
  test("changes no text and no digest, wherever it stands", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.infiniteStream(fc.boolean()), (value, answers) => {
        const mixed = withParts(value, () => answers.next().value as boolean);
        expect(canonicalize(mixed)).toBe(canonicalize(value));
        expect(hashCanonical(mixed)).toBe(hashCanonical(value));
        expect(JSON.parse(JSON.stringify(mixed))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: runs(200) },
    );
  });

  test("keeps its value and text from when it was made, and is written with them", () => {
    const value = { b: 1, a: [2] };
    const part = precanonicalize(value);
    value.b = 3;
    expect([part.text, part.value]).toEqual(['{"a":[2],"b":1}', value]);
    expect(canonicalize([part])).toBe('[{"a":[2],"b":1}]');
    expect(Object.isFrozen(part)).toBe(true);
  });

  test("may be of any length, and is hashed piece by piece", () => {
    const value = { text: "😀".repeat(100_000), list: Array.from({ length: 50_000 }, (_, index) => index) };
    for (const shift of ["", "x"]) {
      const text = canonicalize([shift, value]);
      expect(canonicalize([shift, precanonicalize(value)]) === text).toBe(true);
      expect(hashCanonical([shift, precanonicalize(value)])).toBe(sha256Hex(text));
    }
  });

  test("may be nested deeper than the call stack reaches, and be that deep itself", () => {
    const part = precanonicalize(nest(5000, "x"));
    expect(canonicalize(nest(5000, part)) === canonicalize(nest(10_000, "x"))).toBe(true);
  });

  test("counts against the depth limit, inside another part too", () => {
    const part = precanonicalize([precanonicalize([[1]])]);
    expect(canonicalize([part], { maxDepth: 4 })).toBe("[[[[1]]]]");
    expect(thrown({ a: [part] }, { maxDepth: 4 })).toMatchObject({ code: "too-deep", path: "/a/0" });
  });

  test.each([
    [{ profile: "ecmascript" }, {}],
    [{}, { profile: "ecmascript" }],
    [{ keyOrder: "locale" }, {}],
    [{}, { keyOrder: "locale" }],
  ] as const)("written with %j is refused in a value written with %j", (inner, outer) => {
    const part = precanonicalize({}, inner);
    expect(thrown({ list: [1, part] }, outer)).toMatchObject({ code: "invalid-option", path: "/list/1" });
  });

  test("has no look-alike", () => {
    const Part = precanonicalize(1).constructor as new (value: unknown, written: object) => CanonicalPart;
    const forged: unknown = Object.create(Part.prototype);
    expect(thrown([forged], {})).toMatchObject({ code: "unreadable", path: "/0" });
    class Liar extends Part {
      override get text() {
        return "lie";
      }
    }
    const options = { strict: true, keyOrder: "code-unit", maxDepth: 1 };
    expect(canonicalize([new Liar(1, { text: "1", depth: 0, options })])).toBe("[1]");
  });

  test("is refused as the value would be", () => {
    expect(() => precanonicalize({ a: 1n })).toThrow(expect.objectContaining({ code: "bigint", path: "/a" }) as Error);
  });
});

function thrown(value: unknown, options: Parameters<typeof canonicalize>[1]): unknown {
  try {
    return canonicalize(value, options);
  } catch (error) {
    return error instanceof CanonicalJsonError ? error : undefined;
  }
}
