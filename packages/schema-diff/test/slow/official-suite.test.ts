import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  DRAFTS,
  type DraftFolder,
  type Group,
  readGroups,
  suiteFolder,
} from "../../scripts/official-suite/read-suite.ts";
import { suiteTables } from "../../scripts/official-suite/table.ts";
import { accepts } from "../support/interpret.ts";

test("the README has the tables of the official test suite, and no verdict is wrong", ({ skip }) => {
  const root = suiteFolder();
  if (root === undefined) return skip("JSON_SCHEMA_TEST_SUITE names no checkout of JSON-Schema-Test-Suite");
  const tables = suiteTables(root);
  const failed = [...tables.matchAll(/^\| draft[^|]*\|[^|]*\|[^|]*\| (\d+)/gm)].map(([, count]) => count);
  expect(failed).toEqual(Array.from({ length: 9 }, () => "0"));
  expect(readFileSync(new URL("../../README.md", import.meta.url), "utf8")).toContain(tables);
});

/** The tests that the interpreter alone cannot judge as the suite does. */
const LIMITS: readonly { readonly reason: string; readonly concerns: (group: Group, text: string) => boolean }[] = [
  {
    reason:
      "the base of a reference next to an id of draft-07 is the id; the evaluator concludes nothing from such a reference",
    concerns: ({ description }) => description === "$ref prevents a sibling $id from changing the base uri",
  },
  { reason: "nothing is fetched, meta-schemas included", concerns: (_, text) => /"\$(?:id|ref)":"https?:/.test(text) },
  {
    reason: "a pattern with `\\p{…}` has no automaton",
    concerns: (_, text) => text.includes("\\p{"),
  },
];

test("the interpreter that confirms values judges every required test as expected, except for known limits", ({
  skip,
}) => {
  const root = suiteFolder();
  if (root === undefined) return skip("JSON_SCHEMA_TEST_SUITE names no checkout of JSON-Schema-Test-Suite");
  const used = new Set<string>();
  for (const draft of Object.keys(DRAFTS) as DraftFolder[]) {
    for (const group of readGroups(root, draft, "required")) {
      const said = group.tests.map(({ data }) => accepts(group.schema, data));
      const expected = group.tests.map(({ valid }) => valid);
      if (said.every((each, i) => each === expected[i])) continue;
      const limit = LIMITS.find(({ concerns }) => concerns(group, JSON.stringify(group.schema)));
      expect([group.description, limit?.reason, said]).toEqual([group.description, expect.any(String), said]);
      used.add(limit?.reason ?? "");
    }
  }
  expect([...used].sort()).toEqual(LIMITS.map(({ reason }) => reason).sort());
});
