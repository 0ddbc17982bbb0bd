import fc from "fast-check";
import type { Schema } from "./schemas.ts";
import { judgeOf, validatorOf } from "./validators.ts";

/**
 * Pairs of schemas with keywords on one topic, which random schemas rarely combine, and all values that can distinguish
 * them.
 */
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

/** Returns objects of at most two members. */
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

const scalars = [true, false, null, 1, "a"];
const objects = objectsOf(["a", "b"], scalars);
const lists = [[], ...scalars.map((one) => [one]), ...scalars.flatMap((one) => scalars.map((other) => [one, other]))];
const composites = [
  ...objects,
  ...lists,
  { a: { a: true } },
  { a: {} },
  { a: [1] },
  [[]],
  [{}],
  [{ a: true }],
  [[1], 1],
];

const scalar = fc.constantFrom<Schema>(
  { type: "boolean" },
  { type: "null" },
  { const: 1 },
  { const: true },
  { enum: [1, "a"] },
);
const { part } = fc.letrec<{ part: Schema }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 1 },
    scalar,
    fc
      .record({ properties: dictionary(["a", "b"], tie("part")), required: fc.subarray(["a", "b"]) })
      .map(({ properties, required }) => ({
        ...{ type: "object", properties, additionalProperties: false },
        required: required.filter((name) => name in properties),
      })),
    fc
      .array(tie("part"), { maxLength: 2 })
      .chain((prefixItems) =>
        fc.nat(prefixItems.length).map((minItems) => ({ type: "array", minItems, prefixItems, items: false })),
      ),
    fc.constantFrom<Schema>({ type: "object", maxProperties: 0 }, { type: "array", maxItems: 0 }),
  ),
}));
const listed = fc
  .uniqueArray(fc.constantFrom<unknown>(...scalars, ...composites), { minLength: 1, maxLength: 8 })
  .map((values): Schema => (values.length === 1 ? { const: values[0] } : { enum: values }));
const closed = fc.oneof(
  part,
  listed,
  fc.tuple(part, listed).map((anyOf): Schema => ({ anyOf })),
);

/** Schemas with all values that the parts allow, so that some lists are complete. */
const complete = part.map((schema): readonly [Schema, Schema] => {
  const accepts = judgeOf(schema);
  return [schema, { enum: constants.values.filter((value) => accepts(value)) }];
});

const constants: Theme = {
  name: "constants and closed parts",
  pairs: fc.oneof(
    fc.tuple(closed, closed),
    complete,
    complete.map(([schema, list]): [Schema, Schema] => [{ not: list }, { not: schema }]),
    fc.tuple(complete, fc.nat()).map(([[schema, list], seed]): [Schema, Schema] => {
      const values = (list as { enum: unknown[] }).enum;
      return [schema, values.length > 1 ? { enum: values.toSpliced(seed % values.length, 1) } : list];
    }),
  ),
  values: [...scalars, ...composites, 2, "b", { c: 1 }, [1, 1, 1], { a: { a: 1, b: 1 } }],
  judge: judgeOf,
  isDecided: true,
};

export const THEMES: readonly Theme[] = [manyPatterns, fewNames, dialects, constants];
