import fc from "fast-check";
import type { z as Zod, ZodType } from "zod";

/** A function that creates one schema with any version of zod. */
export type Recipe = (z: typeof Zod) => ZodType;

const words = fc.constantFrom("path", "limit", "recursive", "where the file is", "é");

const formats = fc.constantFrom("email", "url", "uuid", "ipv4", "cidrv4", "base64", "cuid2", "e164", "iso date");

function ofFormat(z: typeof Zod, format: string): ZodType {
  if (format === "iso date") return z.iso.date();
  return z[format as "email"]();
}

const leaf: fc.Arbitrary<Recipe> = fc.oneof(
  fc.tuple(fc.nat(5), fc.nat(9)).map(
    ([min, more]): Recipe =>
      (z) =>
        z
          .string()
          .min(min)
          .max(min + more),
  ),
  fc.constantFrom<Recipe>(
    (z) => z.string(),
    (z) => z.string().trim().toLowerCase(),
    (z) => z.string().regex(/^[a-z]+$/),
    (z) => z.string().startsWith("a").includes("b"),
    (z) => z.number(),
    (z) => z.number().int().min(1).max(9),
    (z) => z.number().positive().multipleOf(2),
    (z) => z.int32(),
    (z) => z.boolean(),
    (z) => z.null(),
    (z) => z.unknown(),
    (z) => z.never(),
    (z) => z.enum(["read", "write"]),
    (z) => z.literal(["a", 1, null]),
    (z) => z.templateLiteral(["v", z.number()]),
    (z) => z.stringbool(),
    (z) => z.coerce.number(),
  ),
  formats.map(
    (format): Recipe =>
      (z) =>
        ofFormat(z, format),
  ),
);

const wrap: fc.Arbitrary<(z: typeof Zod, inner: ZodType) => ZodType> = fc.oneof(
  fc.constantFrom<(z: typeof Zod, inner: ZodType) => ZodType>(
    (_z, inner) => inner.optional(),
    (_z, inner) => inner.nullable(),
    (_z, inner) => inner.refine(() => true),
    (_z, inner) => inner.transform(String),
    (_z, inner) => inner.readonly(),
    (_z, inner) => inner.brand("id"),
    (z, inner) => z.array(inner).min(1).max(8),
    (z, inner) => z.record(z.string(), inner),
    (z, inner) => z.partialRecord(z.enum(["a", "b"]), inner),
    (z, inner) => z.preprocess((value) => value, inner),
    (z, inner) => z.strictObject({ inner }),
    (z, inner) => z.looseObject({ inner }),
    (z, inner) => z.object({ inner }).catchall(z.string()),
    (z, inner) => z.lazy(() => inner),
  ),
  words.map((text) => (_z: typeof Zod, inner: ZodType) => inner.describe(text)),
  words.map((title) => (_z: typeof Zod, inner: ZodType) => inner.meta({ title, examples: [title] })),
);

/** The ways in which a zod schema can refer to itself. */
export const RECURSIONS: readonly ((z: typeof Zod, value: ZodType) => ZodType)[] = [
  function getter(z, value) {
    const tree: ZodType = z.object({
      value,
      get kids() {
        return z.array(tree);
      },
    });
    return tree;
  },
  function lazy(z, value) {
    const tree: ZodType = z.object({ value, kids: z.lazy(() => z.array(tree)) });
    return tree;
  },
  function mutual(z, value) {
    const folder: ZodType = z.object({
      value,
      get files() {
        return z.array(file).optional();
      },
    });
    const file: ZodType = z.object({
      get folder() {
        return folder.optional();
      },
      links: z.lazy(() => z.array(file)),
    });
    return folder;
  },
  function json(z, value) {
    return z.object({ value, data: z.json() });
  },
];

/** Recipes for schemas, some of which are recursive. */
export const recipe: fc.Arbitrary<Recipe> = fc.letrec<{ recipe: Recipe }>((tie) => ({
  recipe: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.tuple(wrap, tie("recipe")).map(
      ([outer, inner]): Recipe =>
        (z) =>
          outer(z, inner(z)),
    ),
    fc.dictionary(fc.constantFrom("path", "limit", "mode", "items"), tie("recipe"), { minKeys: 1, maxKeys: 3 }).map(
      (members): Recipe =>
        (z) =>
          z.object(Object.fromEntries(Object.entries(members).map(([key, member]) => [key, member(z)]))),
    ),
    fc.tuple(tie("recipe"), tie("recipe")).map(
      ([one, two]): Recipe =>
        (z) =>
          z.union([one(z), two(z)]),
    ),
    fc.tuple(tie("recipe"), tie("recipe")).map(
      ([one, two]): Recipe =>
        (z) =>
          z.tuple([one(z), two(z)]),
    ),
    fc.tuple(tie("recipe"), fc.constantFrom(...RECURSIONS)).map(
      ([value, recursive]): Recipe =>
        (z) =>
          recursive(z, value(z)),
    ),
  ),
})).recipe;
