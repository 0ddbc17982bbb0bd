import fc from "fast-check";

/** A schema in a test. */
export type Schema = boolean | { [keyword: string]: unknown };

const NAMES = ["a", "b", "kind"];
const PATTERNS = ["^a", "b$", "^[a-c]{1,3}$", "^(foo|bar)$", "\\d+", "^x-"];
const VALUES = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  3,
  6,
  "",
  "a",
  "ab",
  "foo",
  "x-1",
  [],
  [1],
  ["a"],
  {},
  { a: 1 },
  { b: "a" },
];
const TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"];

const small = fc.integer({ min: 0, max: 3 });
const number = fc.constantFrom(-2, -1, 0, 0.5, 1, 2, 3, 7);

/** Keywords without schemas inside. */
const assertion: fc.Arbitrary<[string, unknown]> = fc.oneof(
  fc.tuple(
    fc.constant("type"),
    fc.oneof(fc.constantFrom(...TYPES), fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 })),
  ),
  fc.tuple(fc.constant("type"), fc.constantFrom("object", "string", "array", "integer")),
  fc.tuple(fc.constant("enum"), fc.uniqueArray(fc.constantFrom(...VALUES), { minLength: 1, maxLength: 4 })),
  fc.tuple(fc.constant("const"), fc.constantFrom(...VALUES)),
  fc.tuple(fc.constantFrom("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), number),
  fc.tuple(fc.constant("multipleOf"), fc.constantFrom(0.1, 0.5, 1, 2, 3, 6)),
  fc.tuple(fc.constantFrom("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), small),
  fc.tuple(fc.constant("pattern"), fc.constantFrom(...PATTERNS)),
  fc.tuple(fc.constant("format"), fc.constantFrom("date", "email", "uri")),
  fc.tuple(fc.constant("uniqueItems"), fc.boolean()),
  fc.tuple(fc.constant("required"), fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 })),
  fc.tuple(
    fc.constant("dependentRequired"),
    fc.dictionary(fc.constantFrom(...NAMES), fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }), {
      maxKeys: 1,
    }),
  ),
);

function applicator(schema: fc.Arbitrary<Schema>): fc.Arbitrary<[string, unknown]> {
  const list = fc.array(schema, { minLength: 1, maxLength: 3 });
  const byName = fc.dictionary(fc.constantFrom(...NAMES), schema, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
  return fc.oneof(
    { weight: 5, arbitrary: fc.tuple(fc.constant("properties"), byName) },
    { weight: 2, arbitrary: fc.tuple(fc.constant("additionalProperties"), fc.oneof(fc.constant(false), schema)) },
    fc.tuple(
      fc.constant("patternProperties"),
      fc.dictionary(fc.constantFrom("^a", "^x-", "b$"), schema, { minKeys: 1, maxKeys: 2, noNullPrototype: true }),
    ),
    fc.tuple(fc.constant("propertyNames"), schema),
    { weight: 2, arbitrary: fc.tuple(fc.constant("items"), schema) },
    fc.tuple(fc.constant("prefixItems"), list),
    fc.tuple(fc.constant("contains"), schema),
    fc.tuple(fc.constantFrom("minContains", "maxContains"), small),
    fc.tuple(
      fc.constant("dependentSchemas"),
      fc.dictionary(fc.constantFrom(...NAMES), schema, { minKeys: 1, maxKeys: 1, noNullPrototype: true }),
    ),
    { weight: 2, arbitrary: fc.tuple(fc.constant("anyOf"), list) },
    fc.tuple(fc.constant("oneOf"), list),
    fc.tuple(fc.constant("allOf"), list),
    fc.tuple(fc.constant("not"), schema),
    fc.tuple(fc.constantFrom("if", "then", "else"), schema),
    fc.tuple(fc.constant("$ref"), fc.constantFrom("#/$defs/one", "#/$defs/two")),
  );
}

function object(keywords: fc.Arbitrary<[string, unknown]>, maxLength: number): fc.Arbitrary<Schema> {
  return fc.array(keywords, { minLength: 1, maxLength }).map((entries) => Object.fromEntries(entries));
}

const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: "small", withCrossShrink: true },
    { weight: 3, arbitrary: object(assertion, 2) },
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 5, arbitrary: object(fc.oneof(assertion, applicator(tie("schema"))), 4) },
  ),
}));

/** A schema with two definitions to which it may refer, and which may refer to each other. */
export const document: fc.Arbitrary<Schema> = fc
  .record({ root: schema, one: schema, two: schema })
  .map(({ root, one, two }) => (typeof root === "boolean" ? root : { ...root, $defs: { one, two } }));

/** A document and a copy with a few edits, most of them deep inside. */
export const pair: fc.Arbitrary<[Schema, Schema]> = fc
  .tuple(
    document,
    fc.array(fc.tuple(fc.nat(), fc.oneof(assertion, applicator(schema)), fc.boolean()), { minLength: 1, maxLength: 3 }),
  )
  .map(([before, edits]) => {
    const after = structuredClone(before);
    for (const [seed, [keyword, value], remove] of edits) edit(after, seed, keyword, value, remove);
    return [before, after];
  });

function edit(root: Schema, seed: number, keyword: string, value: unknown, remove: boolean): void {
  const targets = subschemas(root);
  const target = targets[seed % targets.length];
  if (target === undefined) return;
  const keys = Object.keys(target).filter((key) => key !== "$defs");
  const victim = keys[seed % Math.max(1, keys.length)];
  if (remove && victim !== undefined) delete target[victim];
  else target[keyword] = structuredClone(value);
}

/** Returns every schema object, at any depth. */
export function subschemas(root: unknown, isMap = false): { [keyword: string]: unknown }[] {
  if (Array.isArray(root)) return root.flatMap((item) => subschemas(item));
  if (typeof root !== "object" || root === null) return [];
  const inside = Object.entries(root).flatMap(([key, value]) => {
    if (!isMap && ["const", "enum", "required", "dependentRequired", "type"].includes(key)) return [];
    return subschemas(
      value,
      !isMap && ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"].includes(key),
    );
  });
  return isMap ? inside : [root as { [keyword: string]: unknown }, ...inside];
}

/** Pairs, some of which require one more member, because a random edit seldom makes an accepted object rejected. */
export const pairSometimesNarrowed: typeof pair = fc.oneof(
  { arbitrary: pair, weight: 4 },
  {
    arbitrary: pair.map(([before, after]): [Schema, Schema] => [before, { allOf: [after, { required: ["token"] }] }]),
    weight: 1,
  },
);
