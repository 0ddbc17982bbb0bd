import { describe, expect, test } from "vitest";
import { compareInput as compare, named } from "./support/compare.ts";
import { nested } from "./support/nested.ts";

const S = { type: "string" };
const I = { type: "integer" };
const O = { type: "object" };
const A = { type: "array" };

describe("confirmation", () => {
  test("works in every dialect", () => {
    for (const uri of [
      "http://json-schema.org/draft-06/schema#",
      "http://json-schema.org/draft-07/schema#",
      "https://json-schema.org/draft/2019-09/schema",
      "https://json-schema.org/draft/2020-12/schema",
      "http://json-schema.org/schema#",
    ]) {
      expect(compare({ $schema: uri, ...I }, { $schema: uri, ...I, minimum: 1 }).verdict).toBe("breaking");
    }
  });

  test("reads lists of items without $schema as drafts before 2020-12 do", () => {
    expect(compare({ ...A, items: [S] }, { ...A, items: [I] }).counterexample?.value).toEqual(["a"]);
  });

  test("takes what a reference out of the document may say for granted: the value must not depend on it", () => {
    const schema = (required: string[]) => ({
      ...O,
      properties: { a: { $ref: "https://example.com/a#/$defs/b" } },
      required,
    });
    expect(compare(schema([]), schema(["b"]))).toMatchObject({
      ...{ verdict: "breaking", counterexample: { value: {} } },
      notes: [{ code: "remote-ref" }, { code: "remote-ref" }],
    });
    expect(compare(schema(["a"]), schema(["a", "b"])).verdict).toBe("unknown");
  });

  test("fails for a reference that leads nowhere, even where nothing refers to it", () => {
    const $defs = { unused: { $ref: "#/$defs/none" } };
    const { verdict, notes } = compare({ ...O, $defs }, { ...O, $defs, required: ["a"] });
    expect([verdict, notes.map(({ code }) => code)]).toEqual(["unknown", ["unconfirmed"]]);
    expect(compare({ ...O, $defs, required: ["a"] }, { ...O, $defs }).verdict).toBe("compatible");
  });
});

describe("changes", () => {
  test("after a pattern is removed, additionalProperties applies to its names", () => {
    const closed = { additionalProperties: false };
    const patterned = (schema: unknown) => ({ ...closed, patternProperties: { "^a": schema } });
    const effects = (before: unknown, after: unknown) => compare(before, after).changes.map(({ effect }) => effect);
    expect(effects(patterned(S), closed)).toEqual(["narrows"]);
    expect(effects(closed, patterned(S))).toEqual(["widens"]);
    expect(effects({ patternProperties: { "^a": S } }, {})).toEqual(["widens"]);
    const declared = { properties: { ab: I } };
    expect(effects({ ...patterned(S), ...declared }, { ...closed, ...declared })).toEqual(["unknown"]);
  });

  test("the path leads to the old schema if the new one has another notation without this keyword", () => {
    const [one, list] = [
      { ...A, items: S },
      { ...A, items: [S] },
    ];
    expect(named(compare(one, list))).toEqual(["items-loosened /items widens"]);
    expect(named(compare(list, one))).toEqual(["items-tightened /items narrows"]);
  });

  test("all effects are unknown when each of them alone is harmless but a break is proven", () => {
    const before = { anyOf: [{ multipleOf: 3 }, { minimum: -2 }] };
    const after = { anyOf: [{ multipleOf: 3, const: null }, { minimum: -2 }] };
    const { verdict, changes } = compare(before, after);
    expect([verdict, ...new Set(changes.map(({ effect }) => effect))]).toEqual(["breaking", "unknown"]);
  });

  test("under not the effect is reversed, under oneOf and if it is unknown", () => {
    expect(named(compare({ not: { ...I, minimum: 5 } }, { not: { ...I, minimum: 6 } }))).toEqual([
      "minimum-tightened /not/minimum widens",
    ]);
    expect(
      named(
        compare(
          { not: { not: { not: { ...S, pattern: "^a" } } } },
          { not: { not: { not: { ...S, pattern: "^ab" } } } },
        ),
      ),
    ).toEqual(["pattern-tightened /not/not/not/pattern widens"]);
    const one = (a: object) => ({
      oneOf: [
        { ...O, required: ["x"] },
        { ...O, ...a },
      ],
    });
    expect(named(compare(one({ required: ["y"] }), one({ required: ["y", "z"] })))).toEqual([
      "required-added /oneOf/1/required unknown",
    ]);
    expect(
      named(compare(one({ not: { not: { required: ["y"] } } }), one({ not: { not: { required: ["y", "z"] } } }))),
    ).toEqual(["required-added /oneOf/1/not/not/required unknown"]);
  });

  test("alternatives that replace each other", () => {
    const tagged = (...kinds: string[]) => ({
      anyOf: kinds.map((kind) => ({ ...O, properties: { [kind]: S }, required: [kind], additionalProperties: false })),
    });
    expect(named(compare(tagged("a", "b"), tagged("a", "c", "d")))).toEqual([
      "anyOf-removed /anyOf/1 narrows",
      "anyOf-added /anyOf/1 widens",
      "anyOf-added /anyOf/2 widens",
    ]);
    expect(named(compare({ ...O, maxProperties: 9 }, { ...O, maxProperties: 9, ...tagged("a", "b") }))).toEqual([
      "anyOf-added /anyOf/0 narrows",
      "anyOf-added /anyOf/1 narrows",
    ]);
  });

  test("several subjects change at once, and a long list is shortened", () => {
    const enums = compare({ enum: Array.from({ length: 9 }, (_, i) => `v${i}`) }, { enum: ["v0"] });
    expect(enums.changes[0]?.message).toBe('no longer allowed: "v1", "v2", "v3", "v4", "v5", 3 more');
    const kinds = compare({ enum: ["a", 1] }, { type: ["string", "integer"], minimum: 0 });
    expect(named(kinds)).toEqual(["enum-removed /enum widens", "minimum-added /minimum narrows"]);
    const both = compare({ ...I, multipleOf: 2 }, { type: "number", multipleOf: 0.5 });
    expect(named(both)).toEqual(["type-loosened /type widens", "multipleOf-loosened /multipleOf widens"]);
  });

  test("a divisor is compared for whole numbers and for fractions", () => {
    const scaled = (multipleOf: number, more: object = {}) => ({
      properties: { x: { type: "number", multipleOf }, ...more },
    });
    const tighter = { s: { maxLength: 3 } };
    expect(named(compare(scaled(0.4), scaled(0.5, tighter)))).toEqual([
      "multipleOf-changed /properties/x/multipleOf unknown",
      "property-added /properties/s narrows",
    ]);
    expect(named(compare(scaled(0.5), scaled(0.25)))).toEqual(["multipleOf-loosened /properties/x/multipleOf widens"]);
    expect(named(compare(scaled(0.25), scaled(0.5)))).toEqual([
      "multipleOf-tightened /properties/x/multipleOf narrows",
    ]);
  });

  test("a message is short and contains no control characters", () => {
    const { changes } = compare(O, { ...O, required: ["\u009b31m\u202e\u3164\u{e0100}", "x".repeat(500)] });
    const messages = changes.map(({ message }) => message).join();
    expect(messages).toContain("\\u009b31m\\u202e\\u3164\\udb40\\udd00");
    expect(messages).not.toMatch(/[\u0080-\u009f\u202e\u3164]|\u{e0100}/u);
    expect(messages.length).toBeLessThan(200);
  });

  test("at most a thousand changes are listed", () => {
    const required = Array.from({ length: 1500 }, (_, i) => `p${i}`);
    expect(compare(O, { ...O, required }).changes).toHaveLength(1000);
  });

  test("a difference more than 130 levels deep is listed as one change", () => {
    const deep = (type: string) => nested(135, (inner) => ({ items: inner }), { type });
    expect(named(compare(deep("integer"), deep("number")))).toEqual([`schema-changed ${"/items".repeat(130)} widens`]);
  });

  test("a difference that no keyword shows is listed as one change of the schema", () => {
    const before = { ...A, uniqueItems: true, items: { enum: [1, 2] }, minItems: 1 };
    const after = {
      ...A,
      uniqueItems: true,
      items: { enum: [1, 2] },
      minItems: 1,
      allOf: [{ items: { enum: [2, 3] } }],
    };
    expect(named(compare(before, after)).length).toBeGreaterThan(0);
    const either = (a: object, b: object) => ({
      allOf: [{ anyOf: [{ ...O, required: ["a"] }, a] }, { anyOf: [{ ...O, required: ["b"] }, b] }],
    });
    expect(
      named(
        compare(
          either({ ...O, required: ["c"] }, { ...O, required: ["d"] }),
          either({ ...O, required: ["d"] }, { ...O, required: ["c"] }),
        ),
      ).length,
    ).toBeGreaterThan(0);
  });
});
