import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const src = new URL("../../src/", import.meta.url);

test("the engine is imported through record-index.ts alone", () => {
  const outside = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => /^(?!engine).*\.ts$/.test(file));
  const imports = outside.flatMap((file) => {
    const text = readFileSync(new URL(file, src), "utf8");
    return [...text.matchAll(/from "(?:\.\.?\/)+engine\/([^"]+)"/g)].map(([, imported]) => imported);
  });
  expect(new Set(imports)).toEqual(new Set(["record-index.ts"]));
});
