import fc from "fast-check";
import { nested } from "./nested.ts";

type Keywords = { readonly [keyword: string]: unknown };

/** Returns `count` items, each made from its index. */
export function many<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

/** Returns an object with `count` members. */
export function members(count: number, name: string, make: (i: number) => unknown): Keywords {
  return Object.fromEntries(many(count, (i) => [`${name}${i}`, make(i)]));
}

/** Returns definitions that each use the next one twice, for 2^levels applications. */
export function doubledReferences(
  levels: number,
  keyword: "$ref" | "$dynamicRef",
  group: "allOf" | "anyOf" | "oneOf",
): Keywords {
  const refer = (i: number) => ({ [keyword]: `#level${i}` });
  const $defs = members(levels, "level", (i) => ({
    $dynamicAnchor: `level${i}`,
    ...(i + 1 < levels && { [group]: [refer(i + 1), refer(i + 1)] }),
  }));
  return { $defs, allOf: [refer(0)] };
}

const object = (i: number) => ({ a: i });

/**
 * Functions that make inputs with which a validator, prover or compiler of schemas has to work hard, from a count and a
 * tag that differs between the two schemas of a pair.
 */
const INGREDIENTS: readonly ((count: number, tag: string) => Keywords)[] = [
  (n, tag) => ({ const: many(n, (i) => ({ [tag]: i })) }),
  (n, tag) => ({ enum: many(n, (i) => ({ [tag]: i })) }),
  (n, tag) => ({ enum: many(n, (i) => `${tag}${i}`) }),
  (n, tag) => ({ not: { enum: many(n, (i) => `${tag}${i}`) } }),
  (n, tag) => ({ contains: { enum: many(n, (i) => ({ [tag]: i })) }, minContains: n }),
  (n) => ({ uniqueItems: true, minItems: n, items: { enum: many(n, object) } }),
  (n, tag) => ({ anyOf: many(n, (i) => ({ required: [`${tag}${i}`] })) }),
  (n, tag) => ({ oneOf: many(n, (i) => ({ properties: { [`${tag}${i}`]: { type: "string" } } })) }),
  (n, tag) => ({ not: { anyOf: many(n, (i) => ({ minProperties: i, required: [`${tag}${i}`] })) } }),
  (n, tag) => ({ allOf: many(n, (i) => ({ pattern: `${tag}${i}` })) }),
  (n, tag) => ({ anyOf: many(n, (i) => ({ pattern: `^(${tag}|b{${i % 50}}){20}$` })) }),
  (n) => ({ allOf: many(n, (i) => ({ multipleOf: (i + 1) * 1e-300 })) }),
  (n, tag) => ({ allOf: many(n, (i) => ({ pattern: `(?=${tag}${i})` })) }),
  (n, tag) => ({ anyOf: many(n, (i) => ({ minLength: i, minProperties: i, minItems: i, const: tag.repeat(i) })) }),
  (n, tag) => ({ properties: members(n, "p", (i) => ({ type: "string", minLength: i })), required: [tag] }),
  (n, tag) => ({ required: many(n, (i) => `${tag}${i}`), minProperties: n }),
  (n, tag) => ({ patternProperties: members(n, "^p", () => ({ const: tag })), additionalProperties: false }),
  (n, tag) => ({ propertyNames: { enum: many(n, (i) => `${tag}${i}`) }, minProperties: n >> 1 }),
  (n, tag) => ({ dependentSchemas: members(n, "d", (i) => ({ required: [`${tag}${i}`] })) }),
  (n, tag) => ({ dependentRequired: members(n, "d", (i) => [`${tag}${i}`]) }),
  (n, tag) => ({ prefixItems: many(n, (i) => ({ const: `${tag}${i}` })), minItems: n }),
  (n, tag) => ({ allOf: many(n, (i) => ({ if: { required: [`i${i}`] }, else: { required: [`${tag}${i}`] } })) }),
  (n, tag) => ({ allOf: many(n, () => ({ $ref: "#/$defs/e" })), $defs: { e: { enum: many(n, (i) => tag + i) } } }),
  (n, tag) => ({
    anyOf: many(n, (i) => ({ anyOf: [{ $ref: "#/$defs/e" }, { const: i }] })),
    $defs: { e: { enum: many(n, (i) => tag + i) } },
  }),
  (n, tag) => ({ properties: members(n, "p", (i) => ({ $ref: `https://example.com/${i}` })), required: [tag] }),
  (n, tag) => ({
    $id: `https://example.com/${tag.repeat(10 * n)}/`,
    properties: members(n, "p", (i) => ({ $id: `${i}`, $ref: "#" })),
  }),
  (n, tag) => ({
    unevaluatedProperties: false,
    anyOf: many(n, () => ({ $ref: "#/$defs/e" })),
    $defs: { e: { properties: members(n, tag, () => true) } },
  }),
  (n, tag) => nested(Math.min(n, 80), (inner) => ({ allOf: [inner], minItems: n }), { required: [tag] }) as Keywords,
  (n, tag) =>
    nested(Math.min(n, 80), (inner) => ({ anyOf: [inner, { minProperties: n }] }), { const: tag }) as Keywords,
  (n, tag) => nested(Math.min(n, 80), (inner) => ({ oneOf: [inner, { minLength: n }] }), { const: tag }) as Keywords,
  () => doubledReferences(60, "$ref", "allOf"),
  () => doubledReferences(60, "$dynamicRef", "allOf"),
  () => doubledReferences(60, "$ref", "oneOf"),
];

const tag = fc.constantFrom("a", "b", "p");
const hard = fc
  .array(
    fc.tuple(
      fc.constantFrom(...INGREDIENTS),
      fc.oneof(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 10, max: 600 })),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((chosen) => (name: string): Keywords => {
    return Object.assign({}, ...chosen.map(([make, count]) => make(count, name))) as Keywords;
  });

const holder = fc.constantFrom<(inner: Keywords) => Keywords>(
  (inner) => inner,
  (inner) => ({ ...inner, type: "object" }),
  ({ $defs, $id, ...inner }) => ({ $defs, $id, type: "object", properties: { x: inner }, required: ["x"] }),
  ({ $defs, $id, ...inner }) => ({ $defs, $id, type: "object", additionalProperties: inner, minProperties: 1 }),
  ({ $defs, $id, ...inner }) => ({ $defs, $id, type: "array", items: inner, minItems: 3 }),
  ({ $defs, $id, ...inner }) => ({ $defs, $id, not: inner }),
);

/**
 * Two schemas that are hard to compare, made from the same ingredients with different names or from different
 * ingredients.
 */
export const hostilePair: fc.Arbitrary<[unknown, unknown]> = fc
  .tuple(hard, fc.option(hard), holder, tag, tag)
  .map(([before, after, hold, one, other]) => [
    JSON.parse(JSON.stringify(hold(before(one)))),
    JSON.parse(JSON.stringify(hold((after ?? before)(other)))),
  ]);

/** A large value for these schemas. */
export const hostileValue: fc.Arbitrary<unknown> = fc
  .tuple(fc.integer({ min: 2, max: 2000 }), tag, fc.nat(6))
  .map(([count, name, kind]) => {
    const values: readonly (() => unknown)[] = [
      () => many(count, (i) => ({ [name]: i })),
      () => many(count, () => ({})),
      () => many(count, (i) => i * 1e300),
      () => name.repeat(count * 10),
      () => members(count, name, (i) => i),
      () => ({ x: many(count, (i) => ({ [name]: i })) }),
      () => nested(Math.min(count, 200), (inner) => ({ a: inner }), 1),
    ];
    return values[kind]?.();
  });
