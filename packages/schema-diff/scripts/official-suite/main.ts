/**
 * Writes the tables about the official test suite into the README. No registry has the suite itself:
 * `@json-schema-org/tests` loads it from a Git repository, which the workspace does not allow. `JSON_SCHEMA_TEST_SUITE`
 * names a checkout of it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { withPart } from "@agentprint/testing/markdown/markdown-part";
import { suiteFolder } from "./read-suite.ts";
import { suiteTables } from "./table.ts";

const README = new URL("../../README.md", import.meta.url);

const root = suiteFolder();
if (root === undefined) {
  console.log("skipped: JSON_SCHEMA_TEST_SUITE names no checkout of json-schema-org/JSON-Schema-Test-Suite");
} else {
  writeFileSync(README, withPart(readFileSync(README, "utf8"), "official-suite", suiteTables(root)));
}
