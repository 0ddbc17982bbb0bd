import { expect, test } from "vitest";
import { compareRoads } from "../parse-json/differential.ts";
import { testRewriting } from "../parse-json/rewriting.ts";

const { REWRITING_RUNS = "3000", REWRITING_TEXTS = "20000", REWRITING_SEED = "1" } = process.env;

testRewriting(Number(REWRITING_RUNS));

test.each([
  ["random", Number(REWRITING_TEXTS), false],
  ["mutated", Number(REWRITING_TEXTS) / 10, true],
] as const)("%s texts, %i of them, in both ways", (kind, count, isMutated) => {
  const { digests, errors, refused } = compareRoads(count, Number(REWRITING_SEED), isMutated);
  console.log(
    `${count} ${kind} texts: ${digests} digests, ${errors} errors, ${refused} not held by a window of 96 bytes`,
  );
  expect(digests + errors).toBe(count);
});
