import { existsSync, readFileSync } from "node:fs";
import { runProgram } from "@agentprint/testing/programs";
import { REPOSITORY } from "@agentprint/testing/repository";
import { expect, test } from "vitest";
import { LONG_TESTS } from "../../long-tests/jobs.ts";
import { formatTable, readRuns } from "../../long-tests/table.ts";

test("the table of the long tests has the recorded runs, of tests that there are", () => {
  const runs = readRuns();
  const plain = (table: string): string => table.replaceAll(/-{3,}/g, "---").replaceAll(/ +/g, " ").trimEnd();
  expect(plain(readFileSync(`${REPOSITORY}docs/long-tests.md`, "utf8"))).toBe(plain(formatTable(runs)));
  const names = LONG_TESTS.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(runs.map(({ name }) => name)));
});

test.each(LONG_TESTS)("the long test $name names folders that there are", ({ folders }) => {
  expect(folders.filter((folder) => !existsSync(`${REPOSITORY}${folder}`))).toEqual([]);
});

test.each([
  [["flips", "matrix"], "pnpm is not on PATH; run: npx --yes pnpm@12 test:long flips matrix\n"],
  [["none"], "no long test is called none; --list names them\n"],
])("the long tests %j say in one sentence why they cannot be run", (names, sentence) => {
  const script = `${REPOSITORY}lab/long-tests/main.ts`;
  const { status, stdout, stderr } = runProgram(process.execPath, [script, ...names], { env: {} });
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: "", stderr: sentence });
});
