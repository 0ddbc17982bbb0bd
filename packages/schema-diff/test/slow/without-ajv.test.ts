import { describe, expect, test } from "vitest";
import { compareSchemas } from "../../src/index.ts";
import { expectJudged } from "../support/judged.ts";
import type { Schema } from "../support/schemas.ts";
import { validatorOf } from "../support/validators.ts";

const S = { type: "string" };
const REQUIRED = { required: ["b"] };
const remote = { properties: { a: { $ref: "https://example.com/elsewhere#/definitions/name" }, b: S } };
const draft04 = {
  $schema: "http://json-schema.org/draft-04/schema#",
  id: "https://example.com/root",
  properties: { b: S },
};
const proto = (type: string): object => JSON.parse(`{"properties":{"__proto__":{"type":"${type}"}}}`);
const many = {
  properties: Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`p${i}`, { ...S, minLength: i }])),
};

/**
 * Breaks that ajv did not confirm, because it refused the schema, judged differently, or would have generated too much
 * code.
 */
const BREAKS: readonly (readonly [what: string, standard: string, before: object, after: object, value: unknown])[] = [
  [
    "a reference out of the document, which the value does not reach",
    "a reference applies where its schema does (2020-12 Core §8.2.3.1), and properties to members that are there (§10.3.2.1)",
    remote,
    { ...remote, ...REQUIRED },
    {},
  ],
  [
    "an `id` of draft-04",
    "`id` names a schema (draft-04 Core §7.2) and restricts nothing",
    draft04,
    { ...draft04, ...REQUIRED },
    {},
  ],
  [
    "an empty `enum`",
    "a value is one of the listed ones (2020-12 Validation §6.1.2), and an empty list SHOULD NOT, but may, be there",
    S,
    { ...S, enum: [] },
    "a",
  ],
  [
    "a member `__proto__`",
    "a name is any string (RFC 8259 §4)",
    proto("string"),
    proto("number"),
    JSON.parse('{"__proto__":"a"}'),
  ],
  [
    "more schemas than code was generated for",
    "no draft limits the size of a schema",
    many,
    { ...many, ...REQUIRED },
    {},
  ],
];

describe("a break is confirmed without ajv, as the standard and other validators judge it", () => {
  test.each(BREAKS)("%s: %s", (_what, _standard, before, after, value) => {
    const { verdict, counterexample } = compareSchemas(before, after, { direction: "input" });
    expect([verdict, counterexample]).toEqual(["breaking", { value, acceptedBy: "before", rejectedBy: "after" }]);
    expectJudged([
      { schema: before as Schema, value, expected: true },
      { schema: after as Schema, value, expected: false },
    ]);
  });

  test("ajv refuses two of them", () => {
    expect(() => validatorOf(remote)).toThrow("can't resolve reference");
    expect(() => validatorOf({ ...S, enum: [] })).toThrow("enum must have non-empty array");
  });
});
