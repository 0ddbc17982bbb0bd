import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { manifestIn, publicPackages } from "../../apps/scripts/src/packed-packages.ts";
import { REPOSITORY } from "./examples.ts";

test("docs/packages.md has one row for each package that is published", () => {
  const page = readFileSync(`${REPOSITORY}docs/packages.md`, "utf8");
  const rows = [...page.matchAll(/^\| \[`([^`]+)`\]\(\.\.\/([^)]+)\)/gm)];
  const packages = rows.map(([, name = "", folder = ""]) => [name, folder]).sort();
  expect(packages).toEqual([...publicPackages()].sort());
});

/** Few, because someone has to maintain each of them. */
const MOST_NAMES = 22;
const MOST_ENTRIES = 77;
const manifests = [...publicPackages().values()].map(manifestIn);

test(`at most ${MOST_NAMES} names and ${MOST_ENTRIES} entries are published`, () => {
  expect(manifests.length).toBeLessThanOrEqual(MOST_NAMES);
  const entries = manifests.flatMap(({ exports = {} }) => Object.keys(exports));
  expect(entries.length).toBeLessThanOrEqual(MOST_ENTRIES);
  expect(entries.length).toBeGreaterThan(MOST_NAMES);
});

test.each(manifests)(
  "$name needs no package that is private",
  ({ dependencies, optionalDependencies, peerDependencies }) => {
    const needed = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    const ours = needed.filter((name) => name.startsWith("@agentprint/"));
    expect(ours.filter((name) => !publicPackages().has(name))).toEqual([]);
  },
);

test("the command and the vectors install no package of this repository, unless it is optional", () => {
  const dependenciesOf = (name: string): string[] =>
    Object.keys(manifestIn(publicPackages().get(name) as string).dependencies ?? {});
  expect(dependenciesOf("agentprint").filter((name) => name.startsWith("@agentprint/"))).toEqual([]);
  expect(dependenciesOf("@agentprint/golden-vectors")).toEqual(["ajv", "commander"]);
});
