import { readFileSync } from "node:fs";
import { keywordOf, keywordsOf } from "@agentprint/json-schema";
import { manifestOf, toolOf } from "@agentprint/testing/manifest/manifests";
import { expect, test } from "vitest";
import { CapabilityManifestSchema, parseManifest } from "../src/index.ts";

const DRAFT = "https://json-schema.org/draft/2020-12/schema";
const OTHERS = [
  "http://json-schema.org/draft-07/schema#",
  "https://json-schema.org/draft/2019-09/schema",
  "http://json-schema.org/draft/2020-12/schema",
  "",
];

function issues(keywords: object): string[] {
  const manifest = manifestOf({
    tools: [toolOf("a", { input_schema: { type: "object", additionalProperties: false, ...keywords } as never })],
  });
  const parsed = parseManifest(manifest);
  expect(CapabilityManifestSchema.safeParse(manifest).success).toBe(parsed.ok);
  return parsed.ok ? [] : parsed.issues.map(({ code, path }) => `${code} ${path.replace("/tools/0/input_schema", "")}`);
}

/** A schema in a place where a keyword holds schemas, and that place. */
function within(keyword: string, schema: object): [holder: object, place: string] {
  const position = keywordOf(keyword, 2020)?.content;
  if (position === "list") return [{ [keyword]: [{}, schema] }, `/${keyword}/1`];
  return position === "schema"
    ? [{ [keyword]: schema }, `/${keyword}`]
    : [{ [keyword]: { x: schema } }, `/${keyword}/x`];
}

const HOLDERS = keywordsOf(2020)
  .filter(({ content }) => content !== undefined && content !== "data")
  .map(({ name }) => name);

test.each(HOLDERS)("a schema below %s names no other dialect", (keyword) => {
  for (const dialect of OTHERS) {
    const [holder, place] = within(keyword, { $schema: dialect, $id: "urn:x" });
    expect(issues({ properties: { deep: { not: holder } } })).toEqual([
      `INPUT_SCHEMA_WRONG_DIALECT /properties/deep/not${place}/$schema`,
    ]);
  }
  for (const dialect of [DRAFT, `${DRAFT}#`]) {
    expect(issues({ $schema: dialect, properties: { deep: within(keyword, { $schema: dialect })[0] } })).toEqual([]);
  }
});

test("other dialects of the root and of schemas in it are each reported", () => {
  const other = "http://json-schema.org/draft-07/schema#";
  expect(issues({ $schema: other, properties: { a: { $schema: other }, b: { items: { $schema: other } } } })).toEqual([
    "INPUT_SCHEMA_WRONG_DIALECT /$schema",
    "INPUT_SCHEMA_WRONG_DIALECT /properties/a/$schema",
    "INPUT_SCHEMA_WRONG_DIALECT /properties/b/items/$schema",
  ]);
});

test("a value that only looks like a schema names no dialect", () => {
  const value = { $schema: "http://json-schema.org/draft-07/schema#" };
  expect(issues({ default: value, const: value, enum: [value], examples: [value], "x-vendor": value })).toEqual([]);
  expect(issues({ properties: { $schema: { type: "string" } }, required: ["$schema"] })).toEqual([]);
});

test("a $schema that is no text is reported once", () => {
  expect(issues({ items: { $schema: 1 } })).toEqual(["INPUT_SCHEMA_INVALID /items/$schema"]);
});

test("the JSON Schema for editors names the dialect at its root alone", () => {
  const file = new URL("../schema/capability-manifest.schema.json", import.meta.url);
  expect(readFileSync(file, "utf8").match(/"\$schema"/g)).toHaveLength(1);
});
