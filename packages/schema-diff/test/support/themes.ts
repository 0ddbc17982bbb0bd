import fc from "fast-check";
import type { Schema } from "./schemas.ts";
import { judgeOf, validatorOf } from "./validators.ts";

/** Pairs of schemas about one thing that random schemas rarely combine, and all values that can tell them apart. */
interface Theme {
  readonly name: string;
  readonly pairs: fc.Arbitrary<readonly [Schema, Schema]>;
  readonly values: readonly unknown[];
  readonly judge: typeof judgeOf;
  /** Whether every pair can be decided. */
  readonly isDecided: boolean;
}

const dictionary = <T>(names: readonly string[], value: fc.Arbitrary<T>): fc.Arbitrary<{ [name: string]: T }> =>
  fc.dictionary(fc.constantFrom(...names), value, { minKeys: 1, noNullPrototype: true });

/** Objects of at most two members. */
function objectsOf(names: readonly string[], values: readonly unknown[]): object[] {
  const members = names.flatMap((name) => values.map((value) => ({ [name]: value })));
  return [{}, ...members, ...members.flatMap((one) => members.map((other) => ({ ...one, ...other })))];
}

const text = fc
  .constantFrom("^[a-z]+$", "^[0-9]+$", "^a", "1$", "^.?$", "^(a|1)*$")
  .map((pattern) => ({ type: "string", pattern }));
const texts = fc
  .record({ properties: dictionary(["a", "b"], text), required: fc.subarray(["a", "b", "c"]) })
  .map((schema) => ({ type: "object", ...schema }));

const manyPatterns: Theme = {
  name: "several patterns",
  pairs: fc.tuple(texts, texts),
  values: objectsOf(["a", "b", "c"], ["a", "1", "a1", "-"]),
  judge: judgeOf,
  isDecided: true,
};

const member = fc.constantFrom<Schema>(
  true,
  { type: "string" },
  { type: "integer" },
  { type: ["boolean", "string"] },
  { enum: [true, 1] },
  { const: "a" },
);
const few = fc.oneof(
  fc
    .constantFrom({ pattern: "^a$" }, { pattern: "^[ab]$" }, { maxLength: 0 }, { enum: ["a", "b"] })
    .map((propertyNames) => ({ propertyNames })),
  fc
    .tuple(fc.constantFrom("^a$", "^[ab]$"), member)
    .map(([pattern, schema]) => ({ patternProperties: { [pattern]: schema }, additionalProperties: false })),
);
const members = fc.oneof(
  member.map((schema) => ({ additionalProperties: schema })),
  member.map((schema) => ({ patternProperties: { "^a": schema } })),
  member.map((schema) => ({ patternProperties: { "^a$": schema, "^[ab]$": true }, additionalProperties: false })),
  fc.constantFrom({ minProperties: 2 }, { maxProperties: 1 }, { propertyNames: { pattern: "^b?$" } }),
);

const fewNames: Theme = {
  name: "few names",
  pairs: fc.tuple(few, fc.array(members, { minLength: 1, maxLength: 3 })).map(([names, anyOf]) => [
    { type: "object", ...names },
    { type: "object", ...names, anyOf },
  ]),
  values: objectsOf(["", "a", "b"], [true, 1, "a", "b", null]),
  judge: judgeOf,
  isDecided: false,
};

const dialect = fc.constantFrom(
  "http://json-schema.org/draft-07/schema#",
  "https://json-schema.org/draft/2019-09/schema",
  "https://json-schema.org/draft/2020-12/schema",
);
const keyword = fc.constantFrom<Schema>(
  { type: "object" },
  { properties: { b: { type: "integer" } } },
  { unevaluatedProperties: false },
  { unevaluatedItems: false },
  { dependentRequired: { a: ["b"] } },
  { dependencies: { a: ["b"] } },
  { prefixItems: [{ type: "integer" }] },
  { if: { required: ["b"] }, else: { maxProperties: 1 } },
);

/** Only ajv reads each dialect by its own rules. */
const dialects: Theme = {
  name: "another dialect",
  pairs: fc
    .tuple(fc.array(keyword, { minLength: 1, maxLength: 2 }), dialect, dialect)
    .map(([keywords, before, after]) => {
      const properties = { a: Object.assign({}, ...keywords) as Schema };
      return [
        { $schema: before, properties },
        { $schema: after, properties },
      ];
    }),
  values: [[], ["a"], [1], ...objectsOf(["a", "b"], [1, "a"])].map((a) => ({ a })),
  judge: (schema) => validatorOf(schema),
  isDecided: false,
};

export const THEMES: readonly Theme[] = [manyPatterns, fewNames, dialects];
