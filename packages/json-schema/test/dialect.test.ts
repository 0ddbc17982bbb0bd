import type { JsonValue } from "@agentprint/canonical-json/json-value";
import { expect, test } from "vitest";
import { dialectOf, formOf, type KeywordContent, someMember } from "../src/index.ts";

test.each([
  ["http://json-schema.org/draft-04/schema#", 4],
  ["http://json-schema.org/draft-06/schema", 6],
  ["https://json-schema.org/draft-07/schema#", 7],
  ["https://json-schema.org/draft/2019-09/schema", 2019],
  ["https://json-schema.org/draft/2020-12/schema", 2020],
  ["http://json-schema.org/schema#", undefined],
  [undefined, undefined],
  ["http://json-schema.org/draft-03/schema#", "unknown"],
  ["https://json-schema.org/draft/2020-12/schema/x", "unknown"],
  [4, "unknown"],
])("$schema %j names the dialect %j", ($schema, dialect) => {
  expect(dialectOf($schema === undefined ? {} : { $schema })).toBe(dialect);
});

test.each([[true], [null], [[]], ["http://json-schema.org/draft-04/schema#"]])(
  "%j does not name a dialect",
  (schema) => {
    expect(dialectOf(schema)).toBeUndefined();
  },
);

test.each([
  ["schema", [], "schema"],
  ["list", [], "list"],
  ["list", {}, undefined],
  ["by-name", {}, "by-name"],
  ["by-name", [], undefined],
  ["schema-or-list", [], "list"],
  ["schema-or-list", true, "schema"],
  ["data", {}, undefined],
  [undefined, {}, undefined],
])("%s under which %j stands is read as %s", (content, value, form) => {
  expect(formOf(content as KeywordContent | undefined, value as JsonValue)).toBe(form);
});

test("a member is found at any depth, in schemas and data, without using the call stack", () => {
  let deep: unknown = { wanted: [1] };
  for (let i = 0; i < 100_000; i++) deep = i % 2 ? [null, deep] : { a: deep };
  expect(someMember(deep as never, (name, value) => name === "wanted" && Array.isArray(value))).toBe(true);
  expect(someMember(deep as never, (name) => name === "constructor")).toBe(false);
  expect(someMember("wanted", () => true)).toBe(false);
  expect(someMember(null, () => true)).toBe(false);
});
