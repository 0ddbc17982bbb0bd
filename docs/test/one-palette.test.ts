import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { THEMES } from "../../apps/scripts/src/pictures/diagram.ts";
import { REPOSITORY } from "./examples.ts";

const read = (path: string): string => readFileSync(REPOSITORY + path, "utf8");
const coloursOf = (text: string): string[] => text.match(/#[0-9a-f]{3,8}\b/g) ?? [];
const PALETTE = new Set(coloursOf(read("packages/page-style/tokens.css")));

test.each([
  "apps/registry/src/page/style.ts",
  "packages/trail-page/src/page/style.ts",
  "apps/playground/src/style/page.css",
  "apps/playground/src/style/parts.css",
])("%s has no separate colour", (path) => {
  expect(coloursOf(read(path))).toEqual([]);
});

test("the pictures of concepts have the colours of the pages", () => {
  expect(PALETTE.size).toBeGreaterThan(20);
  const drawn = Object.values(THEMES).flatMap((theme) => Object.values({ ...theme }));
  expect(drawn.filter((colour) => !PALETTE.has(colour.replace(/^#ffffff$/, "#fff")))).toEqual([]);
});
