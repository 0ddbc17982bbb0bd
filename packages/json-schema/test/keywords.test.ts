import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import Ajv04 from "ajv-draft-04";
import { describe, expect, test } from "vitest";
import { contentOf, type Draft, isKeyword, isMeaningful, isProse, keywordOf, keywordsOf } from "../src/index.ts";

const DRAFTS: readonly Draft[] = [4, 6, 7, 2019, 2020];

/** The published meta-schemas as ajv ships them, whose keywords are compared with the table. */
const META_SCHEMAS: readonly (readonly [Draft, readonly string[]])[] = [
  [4, ["http://json-schema.org/draft-04/schema"]],
  [7, ["http://json-schema.org/draft-07/schema"]],
  [2019, ["schema", "core", "applicator", "validation", "meta-data", "format", "content"].map(uri2019)],
  [
    2020,
    ["schema", "core", "applicator", "unevaluated", "validation", "meta-data", "format-annotation", "content"].map(
      uri2020,
    ),
  ],
];

function uri2019(name: string): string {
  return `https://json-schema.org/draft/2019-09/${name === "schema" ? name : `meta/${name}`}`;
}

function uri2020(name: string): string {
  return `https://json-schema.org/draft/2020-12/${name === "schema" ? name : `meta/${name}`}`;
}

type MetaSchema = { readonly [keyword: string]: unknown };

function metaSchemasOf(draft: Draft, uris: readonly string[]): MetaSchema[] {
  const options = { strict: false, validateFormats: false };
  const ajv = {
    4: () => new (Ajv04 as unknown as typeof Ajv)(options),
    6: () => new Ajv(options),
    7: () => new Ajv(options),
    2019: () => new Ajv2019(options),
    2020: () => new Ajv2020(options),
  }[draft]();
  return uris.map((uri) => ajv.getSchema(uri)?.schema as MetaSchema);
}

const REFERS_TO_SCHEMA: ReadonlySet<unknown> = new Set(["#", "#/$defs/schemaArray", "#/definitions/schemaArray"]);

/** How a meta-schema declares that a keyword's value holds schemas. */
function contentIn(description: { readonly [keyword: string]: unknown }): string | undefined {
  const one = [description["$ref"], description["$dynamicRef"], description["$recursiveRef"]].find(Boolean);
  if (one === "#" || one === "#meta") return "schema";
  if (REFERS_TO_SCHEMA.has(one)) return "list";
  const variants = (description["anyOf"] as MetaSchema[] | undefined)?.map(contentIn) ?? [];
  if (variants.includes("list")) return "schema-or-list";
  if (variants.includes("schema")) return "schema";
  const named = description["additionalProperties"];
  const byName = typeof named === "object" && named !== null && contentIn(named as MetaSchema);
  return byName ? "by-name" : undefined;
}

describe.each(META_SCHEMAS)("the keywords of draft %s", (draft, uris) => {
  const metaSchemas = metaSchemasOf(draft, uris);
  const described = new Map(
    metaSchemas.flatMap(({ properties }) => Object.entries(properties as { [name: string]: MetaSchema })),
  );

  test("are those that its meta-schema describes", () => {
    const names = keywordsOf(draft).map(({ name }) => name);
    // Draft-04 defines `format` in its text but not in its meta-schema; ajv's copy of draft-07 omits `writeOnly`.
    expect([...new Set([...described.keys(), "$ref", "format", ...(draft === 7 ? ["writeOnly"] : [])])].sort()).toEqual(
      names.sort(),
    );
  });

  test("contain schemas where its meta-schema says so", () => {
    for (const [name, description] of described) {
      const content = keywordOf(name, draft)?.content;
      expect([name, content === "data" ? undefined : content]).toEqual([name, contentIn(description)]);
    }
  });
});

test("draft-06 is draft-07 without conditions, comments, content and access", () => {
  const [before, after] = [6 as const, 7 as const].map((draft) => keywordsOf(draft).map(({ name }) => name));
  const added = "if then else contentEncoding contentMediaType readOnly writeOnly $comment".split(" ");
  expect(after?.filter((name) => !before?.includes(name))).toEqual(added);
  expect(before?.filter((name) => !after?.includes(name))).toEqual([]);
});

test("without a draft, a keyword of every draft is found", () => {
  const all = keywordsOf();
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  for (const { name, since, until } of all) {
    for (const draft of DRAFTS) {
      const known = keywordOf(name, draft);
      if (draft >= since && draft <= until) expect([name, known?.since]).toEqual([name, since]);
      else expect([name, known?.isRetained ?? true]).toEqual([name, true]);
    }
  }
  expect(keywordOf("x-unknown")).toBeUndefined();
  expect(keywordOf("constructor")).toBeUndefined();
});

test("what a value holds is known without the drafts of a keyword", () => {
  for (const { name, content, kind } of keywordsOf()) {
    expect([name, isKeyword(name), contentOf(name), isProse(name)]).toEqual([name, true, content, kind === "prose"]);
  }
  for (const name of ["x-unknown", "constructor", "none"]) {
    expect([name, isKeyword(name), contentOf(name), isProse(name)]).toEqual([name, false, undefined, false]);
  }
});

test("applicators, and only applicators, have `appliesTo`", () => {
  for (const { name, kind, appliesTo } of keywordsOf()) {
    expect([name, appliesTo !== undefined]).toEqual([name, kind === "applicator"]);
  }
});

test("the table of keywords cannot be changed", () => {
  for (const draft of [undefined, ...DRAFTS]) {
    for (const keyword of keywordsOf(draft)) expect(Object.isFrozen(keyword)).toBe(true);
  }
});

test.each([
  ["exclusiveMinimum", true, [4]],
  ["exclusiveMaximum", 1, [6, 7, 2019, 2020]],
  ["items", [], [4, 6, 7, 2019]],
  ["items", {}, [4, 6, 7, 2019, 2020]],
  ["dependencies", {}, [4, 6, 7]],
  ["prefixItems", [], [2020]],
  ["x-unknown", {}, []],
])("%s as %j has a meaning in drafts %j", (name, value, drafts) => {
  expect(DRAFTS.filter((draft) => isMeaningful(name, value, draft))).toEqual(drafts);
});
