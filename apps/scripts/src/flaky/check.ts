/**
 * Checks the list of flaky tests, as a step of `.ci/run`: it must be readable, and no row may stay in it for too long.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../packed-packages.ts";
import { parseFlakyList, problemsOf } from "./flaky-list.ts";

const FILE = ".ci/flaky.txt";

try {
  const list = parseFlakyList(readFileSync(join(REPOSITORY, FILE), "utf8"));
  for (const { test, date, cause } of list) console.log(`flaky since ${date}: ${test}: ${cause}`);
  for (const problem of problemsOf(list, Date.now())) fail(problem);
} catch (error) {
  fail((error as Error).message);
}

function fail(problem: string): void {
  console.log(`Error: ${FILE}: ${problem}`);
  process.exitCode = 1;
}
