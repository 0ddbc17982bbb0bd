import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { publicPackages } from "../../apps/scripts/src/packed-packages.ts";
import { REPOSITORY } from "./examples.ts";

test("docs/packages.md has a row for each package that is published", () => {
  const rows = [
    ...readFileSync(`${REPOSITORY}docs/packages.md`, "utf8").matchAll(/^\| \[`([^`]+)`\]\(\.\.\/([^)]+)\)/gm),
  ];
  expect(new Map(rows.map(([, name = "", folder = ""]) => [name, folder]))).toEqual(publicPackages());
});
