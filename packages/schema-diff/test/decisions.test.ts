import { describe, expect, test } from "vitest";
import { compareSchemas } from "../src/index.ts";
import { compareInput as compare, named, verdicts } from "./support/compare.ts";

const S = { type: "string" };
const I = { type: "integer" };
const O = { type: "object" };
const A = { type: "array" };

describe("numbers", () => {
  test("an interval that contains one value", () => {
    expect(verdicts({ type: "number", minimum: 3, maximum: 3 }, { const: 3 })).toEqual(["compatible", "compatible"]);
    expect(verdicts({ type: "number", minimum: 0.5, maximum: 0.5 }, { const: 0.5 })).toEqual(["unknown", "compatible"]);
  });

  test("multiples of 2 and of 3 are multiples of 6", () => {
    const before = { allOf: [{ ...I, multipleOf: 2 }, { multipleOf: 3 }] };
    expect(verdicts(before, { ...I, multipleOf: 6 })).toEqual(["compatible", "compatible"]);
  });

  test("multiples of 0.5 are multiples of 0.25; whether 0.3 is a multiple of 0.1 is unknown", () => {
    const number = (multipleOf: number) => ({ type: "number", multipleOf });
    expect(verdicts(number(0.5), number(0.25))).toEqual(["compatible", "breaking"]);
    expect(verdicts(number(0.3), number(0.1))[0]).toBe("unknown");
    expect(compare(number(0.2), number(0.7)).verdict).toBe("breaking");
  });

  test("beyond 2^53 nothing is concluded from numbers that doubles round", () => {
    expect(verdicts({ ...I, minimum: 1e300 }, { ...I, minimum: 1e300, multipleOf: 3 })[1]).toBe("compatible");
    expect(compare({ ...I, minimum: 1e20, maximum: 1e20, multipleOf: 3 }, false).verdict).not.toBe("breaking");
    expect(compare({ ...I, multipleOf: 7 }, { ...I, multipleOf: 7, minimum: -1e9 }).counterexample?.value).toBeLessThan(
      -1e9,
    );
    expect(
      compare({ type: "number", exclusiveMinimum: 1e300 }, { type: "number", exclusiveMinimum: 1e300, maximum: 2e300 })
        .verdict,
    ).not.toBe("compatible");
    expect(compare({ type: "number", multipleOf: 1e-30 }, { type: "number", multipleOf: 2e-30 }).verdict).not.toBe(
      "compatible",
    );
  });

  test("a divisor beyond 2^53 is a multiple of another only when the remainder is zero", () => {
    const whole = (multipleOf: number) => ({ ...I, multipleOf });
    expect(compare(whole(2 ** 55), whole(3)).verdict).toBe("unknown");
    expect(compare(whole(1e20), whole(3)).verdict).toBe("unknown");
    expect(compare(whole(1e23), whole(10)).verdict).toBe("unknown"); // the double next to 1e23 is even, but no multiple
    expect(compare(whole(1e20), whole(5)).verdict).toBe("compatible");
    expect(compare(whole(1e20), whole(2 ** 20)).verdict).toBe("compatible");
    expect(compare(whole(2 ** 55), whole(2 ** 20)).verdict).toBe("unknown"); // its shortest text is 36028797018963970
  });

  test("whole numbers beyond 2^53 on which validators differ count neither as multiples nor as others", () => {
    // If its shortest text, 144115188075855870, is read, the second value is a multiple of 3.
    for (const value of [2 ** 55, 2 ** 57])
      expect(compare({ const: value }, { ...I, multipleOf: 3 }).verdict).toBe("unknown");
    expect(compare({ const: 3e20 }, { ...I, multipleOf: 3 }).verdict).toBe("compatible");
  });

  test("divisors too large for a common multiple", () => {
    const before = { allOf: [{ ...I, multipleOf: 9007199254740881 }, { multipleOf: 9007199254740847 }] };
    expect(compare(before, { ...I, multipleOf: 2 }).verdict).toBe("unknown");
  });
});

describe("strings", () => {
  test("strings too long for a counterexample", () => {
    expect(verdicts({ ...S, minLength: 20_000 }, { ...S, minLength: 30_000 })).toEqual(["unknown", "compatible"]);
    expect(verdicts({ ...S, maxLength: 20_000 }, { ...S, maxLength: 15_000 })).toEqual(["unknown", "compatible"]);
  });

  test("a format whose samples the pattern excludes", () => {
    expect(
      compare({ ...S, format: "email", pattern: "^z" }, { ...S, format: "email", pattern: "^z", maxLength: 3 }).verdict,
    ).toBe("unknown");
  });

  test.each(["int32", "float", "byte", "starts_with", "includes", "cuid", "color", "x-my-id", "Email", "toString"])(
    "%s, which no dialect defines, is an annotation, and hides nothing next to it",
    (format) => {
      const plain = { ...S, pattern: "^a" };
      expect(verdicts(plain, { ...plain, format })).toEqual(["compatible", "compatible"]);
      expect(compare({ ...plain, format }, { ...plain, format, pattern: "^ab" })).toMatchObject({
        verdict: "breaking",
      });
    },
  );
});

describe("arrays", () => {
  test("equal elements at positions that exclude each other", () => {
    const pair = { ...A, prefixItems: [S, I], items: false };
    expect(verdicts(pair, { ...pair, uniqueItems: true })).toEqual(["compatible", "compatible"]);
    const typed = { ...A, prefixItems: [S, { format: "email", type: "string" }], maxItems: 2 };
    expect(compare(typed, { ...typed, uniqueItems: true }).verdict).toBe("breaking");
    const coloured = { ...A, items: { ...S, pattern: "(?=color)" }, maxItems: 2 };
    expect(compare(coloured, { ...coloured, uniqueItems: true }).verdict).toBe("unknown");
  });

  test("distinct elements are found one by one", () => {
    const before = { ...A, items: I, uniqueItems: true, minItems: 4 };
    expect(compare(before, { ...before, maxItems: 3 }).counterexample?.value).toHaveLength(4);
    const three = { ...A, items: { enum: [1, 2, 3] }, uniqueItems: true, minItems: 4 };
    expect(compare(three, { ...three, contains: { const: 9 } }).verdict).not.toBe("breaking");
  });

  test("arrays too long for a counterexample", () => {
    expect(verdicts({ ...A, minItems: 5000 }, { ...A, minItems: 6000 })).toEqual(["unknown", "compatible"]);
  });

  test("counts", () => {
    const count = (minContains: number, maxContains?: number) => ({
      ...A,
      contains: I,
      minContains,
      ...(maxContains !== undefined && { maxContains }),
    });
    expect(compare(count(2), count(3)).counterexample?.value).toEqual([0, 0]);
    expect(compare(count(0, 2), count(0, 1)).verdict).toBe("breaking");
    expect(compare(count(2, 3), count(2, 2)).verdict).toBe("breaking");
    expect(verdicts(count(0, 0), { ...A, items: { not: I } })).toEqual(["compatible", "compatible"]);
    expect(compare(count(0), A)).toMatchObject({ verdict: "compatible", changes: [] });
    expect(named(compare(count(1), { ...A, contains: { type: "number" } }))).toEqual([
      "type-loosened /contains/type widens",
    ]);
    expect(named(compare(count(0, 1), { ...count(0, 1), contains: { type: "number" } }))).toEqual([
      "type-loosened /contains/type unknown",
    ]);
    expect(named(compare(count(0, 1), count(0, 2)))).toEqual(["contains-changed /contains unknown"]);
  });

  test("many elements may violate several schemas at once, but none certainly does", () => {
    const items = (n: number) => Array.from({ length: n }, (_, i) => ({ ...A, items: { pattern: `(?=f${i})` } }));
    expect(compare(A, { anyOf: items(6) }).verdict).toBe("unknown");
  });
});

describe("objects", () => {
  test("two patterns that are not compared need no distinction when they have the same schema", () => {
    const schema = (extra: object) => ({
      ...O,
      properties: { a: I },
      patternProperties: { "^(?=a)": { type: "number" }, "(?!b)": I },
      ...extra,
    });
    expect(compare(schema({}), { ...O, properties: { a: I } }).verdict).toBe("compatible");
    expect(compare(schema({}), schema({ required: ["a"] })).verdict).toBe("breaking");
    expect(
      compare(
        schema({ required: ["a"], additionalProperties: S }),
        schema({ required: ["a", "b"], additionalProperties: S }),
      ).verdict,
    ).toBe("breaking");
  });

  test("many members may violate several schemas at once, but none certainly does", () => {
    const property = (i: number) => ({ ...O, additionalProperties: { pattern: `(?=f${i})` } });
    expect(compare(O, { anyOf: [0, 1, 2, 3, 4, 5].map(property) }).verdict).toBe("unknown");
    const names = [..."abcdefgh"];
    const open = Object.fromEntries(names.map((name) => [name, { enum: [1, 2] }]));
    const narrower = (i: number) => ({
      ...O,
      properties: Object.fromEntries(names.map((name) => [name, { const: i }])),
    });
    const before = { ...O, properties: open, propertyNames: { enum: names }, dependentRequired: { a: ["b"] } };
    expect(compare(before, { anyOf: [narrower(1), narrower(2)] }).verdict).toBe("breaking");
  });

  test("names that violate a schema for names", () => {
    const closed = { ...O, properties: { ab: {}, c: {} }, additionalProperties: false };
    expect(verdicts(closed, { ...closed, propertyNames: { maxLength: 2 } })).toEqual(["compatible", "compatible"]);
    expect(compare(closed, { ...closed, propertyNames: { maxLength: 1 } }).counterexample?.value).toHaveProperty("ab");
    expect(compare(O, { ...O, propertyNames: { pattern: "(?=color)" } }).verdict).toBe("unknown");
    expect(compare(closed, { ...closed, propertyNames: { pattern: "(?=color)" } }).verdict).toBe("unknown");
  });

  const rest = (schema: object) => ({ additionalProperties: schema });
  const value = (schema: object) => ({ patternProperties: { "^value$": schema } });

  test.each([
    ["a pattern for names", { propertyNames: { pattern: "^a$" } }, rest, { a: true }],
    ["a length of names", { propertyNames: { maxLength: 0 } }, rest, { "": true }],
    ["a closed object", { ...value({}), additionalProperties: false }, value, { value: true }],
  ])("the one name that is possible violates several schemas at once: %s", (_, names, members, example) => {
    const before = { ...O, ...names };
    const after = { ...before, anyOf: [members(S), members(I)] };
    const breaking = { verdict: "breaking", counterexample: { value: example } };
    expect(compare(before, after)).toMatchObject(breaking);
    expect(compareSchemas(after, before, { direction: "output" })).toMatchObject(breaking);
    expect(compare(after, before).verdict).toBe("compatible");
  });

  test("two names are possible, and each must violate a schema of its own", () => {
    const before = { ...O, propertyNames: { pattern: "^[ab]$" }, additionalProperties: { enum: [1, 2] } };
    const after = {
      ...before,
      anyOf: [{ additionalProperties: { const: 1 } }, { additionalProperties: { const: 2 } }],
    };
    expect(Object.values(compare(before, after).counterexample?.value ?? {}).sort()).toEqual([1, 2]);
    const one = { propertyNames: { pattern: "^a$" } };
    expect(compare({ ...before, ...one }, { ...after, ...one }).verdict).toBe("compatible");
  });

  test("more members are required than a pattern allows names", () => {
    const one = { ...O, patternProperties: { "^a$": {} }, additionalProperties: false };
    expect(compare({ ...one, minProperties: 2 }, false).verdict).not.toBe("breaking");
    const two = { ...O, patternProperties: { "^[ab]$": I }, additionalProperties: false };
    expect(compare({ ...two, minProperties: 2 }, { ...two, maxProperties: 1 }).counterexample?.value).toEqual({
      a: 0,
      b: 0,
    });
  });
});

describe("when validators differ on a condition", () => {
  test("a value that fulfils both branches is accepted", () => {
    const schema = (extra: object) => ({
      ...O,
      properties: { a: S },
      if: { properties: { a: { pattern: "(?=color)" } } },
      ...JSON.parse('{"then":{"type":"object"}}'),
      else: O,
      ...extra,
    });
    expect(compare(schema({}), schema({ required: ["b"] })).counterexample?.value).toEqual({});
    expect(compare(schema({ required: ["a"] }), schema({ required: ["a", "b"] })).verdict).toBe("breaking");
    expect(
      compare(
        schema({ else: { required: ["c"] }, required: ["a"] }),
        schema({ else: { required: ["c"] }, required: ["a", "b"] }),
      ).verdict,
    ).toBe("unknown");
  });

  test("oneOf of two such schemas is unknown", () => {
    const one = { oneOf: [{ pattern: "(?=color)" }, { pattern: "(?=shade)" }] };
    expect(compare({ ...S, ...one }, { ...S, ...one, minLength: 2 }).verdict).toBe("unknown");
  });
});

describe("recursive schemas", () => {
  const tree = (items: object, more: object = {}) => ({ type: "object", properties: { size: I, items }, ...more });
  const before = tree({ type: "array", items: { $ref: "#" } });

  test("are equal when they are written out again, or under other names", () => {
    const twice = {
      $defs: { t: tree({ type: "array", items: tree({ type: "array", items: { $ref: "#/$defs/t" } }) }) },
    };
    expect(compare(before, { ...twice, $ref: "#/$defs/t" })).toMatchObject({ verdict: "compatible", changes: [] });
  });

  test("differ when only the second level of recursion differs", () => {
    const list = { type: "array", items: { $ref: "#" } };
    const after = tree({ type: "array", items: tree(list, { required: ["size"] }) });
    expect(compare(before, after)).toMatchObject({ verdict: "breaking", counterexample: { value: { items: [{}] } } });
  });
});
