import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPOSITORY } from "./examples.ts";

const read = (path: string): string => readFileSync(join(REPOSITORY, path), "utf8");

interface Manifest {
  readonly private?: boolean;
  readonly engines?: { readonly node?: string };
}
const manifestOf = (path: string): Manifest => JSON.parse(read(path)) as Manifest;
const oldestNode = (path: string): string => manifestOf(path).engines?.node?.replace(">=", "") ?? "none";

const published = globSync("{packages,apps}/*/package.json", { cwd: REPOSITORY }).filter(
  (path) => manifestOf(path).private !== true,
);
const least = oldestNode("package.json");
const newer = [...new Set(published.map(oldestNode))].filter((version) => version !== least);

test("every published package states its Node version, and none an older one than the workspace", () => {
  expect([least, ...newer].sort()[0]).toBe(least);
  expect(published.length).toBeGreaterThan(15);
  expect(read("CONTRIBUTING.md")).toContain(`Node ≥ ${least}`);
  expect(read("README.md")).toContain(`Node ≥ ${least}`);
  expect(read(".ci/run")).toContain(`Node >= ${least}`);
});

test.each(published.filter((path) => oldestNode(path) !== least))("the README of %s names the newer Node", (path) => {
  expect(read(path.replace("package.json", "README.md"))).toContain(`Node ${oldestNode(path)}`);
});

/** Matches other programs' requirements, and versions with which something was measured. */
const OTHER = /of `ai`|Node 22\.1 and later|Node 22 and later|--sigstore|[Mm]easured|Conformance|conformance/;

test("pages name no other versions that something of ours needs", () => {
  const pages = globSync(["*.md", "docs/*.md", "{packages,apps}/*/README.md"], { cwd: REPOSITORY });
  const found = pages.flatMap((page) =>
    read(page)
      .split("\n")
      .filter((line) => !OTHER.test(line))
      .flatMap((line) => [...line.matchAll(/Node (?:≥ )?(\d+(?:\.\d+)?) or (?:later|newer)/g)])
      .map(([, version = ""]) => `${page}: ${version}`),
  );
  expect(found.filter((each) => ![least, ...newer].some((version) => each.endsWith(`: ${version}`)))).toEqual([]);
});
