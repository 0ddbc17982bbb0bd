import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const src = new URL("../src/", import.meta.url);
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

/** Returns the files that import a module whose name matches. */
function importersOf(specifier: RegExp): string[] {
  return files.filter((file) => {
    const imports = readFileSync(new URL(file, src), "utf8").matchAll(/from "([^"]+)"/g);
    return [...imports].some(([, name]) => specifier.test(String(name)));
  });
}

test("the engine is imported through record-index.ts alone", () => {
  const insiders = importersOf(/(id-index|hash-index|fingerprint-table)\.ts$/);
  expect(insiders.filter((file) => !file.startsWith("engine/"))).toEqual([]);
});

test("nothing but the schema loads zod, and nothing but the index and the schema's own entry loads the schema", () => {
  expect(importersOf(/^zod/)).toEqual(["record/thought-record-schema.ts"]);
  expect(importersOf(/\/thought-record-schema\.ts$/).sort()).toEqual(["index.ts", "record/schema.ts"]);
  expect(importersOf(/\/schema\.ts$/)).toEqual([]);
});
