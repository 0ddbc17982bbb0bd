import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { suiteFolder } from "../../scripts/official-suite/read-suite.ts";
import { suiteTables } from "../../scripts/official-suite/table.ts";

test("the README has the tables of the official test suite, and no verdict is wrong", ({ skip }) => {
  const root = suiteFolder();
  if (root === undefined) return skip("JSON_SCHEMA_TEST_SUITE names no checkout of JSON-Schema-Test-Suite");
  const tables = suiteTables(root);
  const failed = [...tables.matchAll(/^\| draft[^|]*\|[^|]*\|[^|]*\| (\d+)/gm)].map(([, count]) => count);
  expect(failed).toEqual(Array.from({ length: 9 }, () => "0"));
  expect(readFileSync(new URL("../../README.md", import.meta.url), "utf8")).toContain(tables);
});
