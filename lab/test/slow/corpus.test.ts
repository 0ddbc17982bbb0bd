import { readFileSync } from "node:fs";
import { REPOSITORY } from "@agentprint/testing/repository";
import { expect, test } from "vitest";
import { readCausesResults, withCausesTable } from "../../corpus/src/causes/causes-results.ts";
import { readGuardResults, withGuardTable } from "../../corpus/src/guard/guard-results.ts";
import { withReleaseTable } from "../../corpus/src/release-table.ts";
import { readResults } from "../../corpus/src/results.ts";
import { PROVEN_LAYERS, withTables } from "../../corpus/src/tables.ts";

const results = readResults();

const plain = (text: string): string => text.replaceAll(/-{3,}/g, "---").replaceAll(/ +/g, " ");

test("the tables in the README of the command are those of the recorded results", () => {
  const readme = readFileSync(`${REPOSITORY}apps/cli/README.md`, "utf8");
  expect(plain(readme)).toBe(plain(withTables(readme, results)));
});

test("the table in the README of releases matches the recorded results", () => {
  const readme = readFileSync(`${REPOSITORY}packages/release/README.md`, "utf8");
  expect(plain(readme)).toBe(plain(withReleaseTable(readme, results)));
});

test("the table in the guard's README matches the recorded results, and no upgrade has a fault", () => {
  const readme = readFileSync(`${REPOSITORY}packages/guard/README.md`, "utf8");
  const guarded = readGuardResults();
  expect(plain(readme)).toBe(plain(withGuardTable(readme, guarded)));
  expect(guarded.upgrades.length).toBeGreaterThan(10);
  expect(guarded.upgrades.flatMap(({ faults }) => faults)).toEqual([]);
});

test("the table of causes matches the recorded results: no report names a false cause", () => {
  const readme = readFileSync(`${REPOSITORY}apps/cli/README.md`, "utf8");
  const { servers } = readCausesResults();
  expect(plain(readme)).toBe(plain(withCausesTable(readme, readCausesResults())));
  expect(servers.reduce((sum, { causes }) => sum + causes, 0)).toBeGreaterThan(100);
  expect(servers.filter(({ faults, notIsolated }) => faults + notIsolated > 0)).toEqual([]);
  // In an upgrade of at most thirty tools, the first 60 rows name every verdict and every cause.
  const few = servers.filter(({ toolsOfLastRow }) => toolsOfLastRow <= 30);
  expect(few.length).toBeGreaterThan(5);
  expect(few.filter(({ lastRow }) => lastRow > 60)).toEqual([]);
});

test("with compatible, a finding names every edit of contract, hints and names, and a guard stops it", () => {
  const proven = results.edits.filter(({ layer }) => PROVEN_LAYERS.includes(layer));
  expect(proven.filter(({ placed, caught }) => caught < placed)).toEqual([]);
  expect(proven.filter(({ placed, stopped }) => stopped.compatible.guard < placed)).toEqual([]);
  expect(results.edits.reduce((sum, { placed }) => sum + placed, 0)).toBe(300);
});

test("no lockfile of the corpus names a registry", () => {
  const lock = readFileSync(`${REPOSITORY}lab/corpus/package-lock.json`, "utf8");
  expect(lock.match(/https?:\/\/[^"]*\.tgz/g)).toBeNull();
  expect([...lock.matchAll(/"resolved": "([^"]*)"/g)].map(([, target]) => target)).toEqual(["no-keychain"]);
});
