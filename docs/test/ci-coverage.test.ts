import { matchesGlob } from "node:path";
import { expect, test } from "vitest";
import { COVERED_FILES, uncoveredPlaces } from "../../apps/scripts/src/ci-coverage.ts";

const UNCOVERED: Readonly<Record<string, number[]>> = {
  "/checkout/packages/trail/src/verify.ts": [12, 13, 14, 20],
  "/checkout/packages/trail/src/whole.ts": [],
  "/checkout/packages/trail-store/src/sqlite/open.ts": [7],
  "/checkout/packages/content-hash/src/walk/walk.ts": [30, 9],
  "/checkout/apps/cli/src/main.ts": [1],
};

const places = uncoveredPlaces(
  {
    files: () => Object.keys(UNCOVERED),
    fileCoverageFor: (file) => ({ getUncoveredLines: () => (UNCOVERED[file] ?? []).map(String) }),
  },
  "/checkout",
);

test("lines that must be covered are named with their file, neighbours as a range", () => {
  expect(places).toEqual([
    "packages/trail/src/verify.ts:12-14",
    "packages/trail/src/verify.ts:20",
    "packages/content-hash/src/walk/walk.ts:9",
    "packages/content-hash/src/walk/walk.ts:30",
  ]);
});

test("the listed files are those in the threshold", () => {
  const counted = Object.keys(UNCOVERED).filter((file) => matchesGlob(file.replace("/checkout/", ""), COVERED_FILES));
  expect(counted).toEqual([
    "/checkout/packages/trail/src/verify.ts",
    "/checkout/packages/trail/src/whole.ts",
    "/checkout/packages/content-hash/src/walk/walk.ts",
  ]);
});
