import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Returns the numbers in a page's prose, each once. */
function numbersIn(file: string): Set<string> {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), "utf8").replace(/^```.*?^```/gms, "");
  return new Set(text.match(/\d(?:[\d,.]*\d)?/g));
}

test("the translated README names the limits and times of the English one", () => {
  const english = numbersIn("README.md");
  expect(english.size).toBeGreaterThan(15);
  expect([...english].filter((number) => !numbersIn("README.zh.md").has(number))).toEqual([]);
});
