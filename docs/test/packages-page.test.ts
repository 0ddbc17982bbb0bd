import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { publicPackages } from "../../apps/scripts/src/packed-packages.ts";
import { REPOSITORY } from "./examples.ts";

test("docs/packages.md has one row for each package that is published", () => {
  const page = readFileSync(`${REPOSITORY}docs/packages.md`, "utf8");
  const rows = [...page.matchAll(/^\| \[`([^`]+)`\]\(\.\.\/([^)]+)\)/gm)];
  const packages = rows.map(([, name = "", folder = ""]) => [name, folder]).sort();
  expect(packages).toEqual([...publicPackages()].sort());
});
