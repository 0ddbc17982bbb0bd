import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { REPOSITORY } from "./examples.ts";

/**
 * The folders of other packages from which tests import by a path, each with the reason why no package name is
 * used.
 */
const WITHOUT_NAME: Readonly<Record<string, string>> = {
  "fixtures/src/": "the vectors: `golden-vectors` publishes its command, and few of its functions",
  "fixtures/ports/typescript/src/": "the operations of TypeScript: a port is a program, which is run by its command",
  "apps/registry/": "`registry-api` is tested with the registry itself, which publishes a command",
};

/** Folders whose sources are tools for this repository. */
const TOOLS = ["apps/scripts/", "lab/"];

/** Returns the folder of a file's package. Tests of the documentation belong to the root, which contains every file. */
function packageOf(file: string): string {
  const [parent = "", name = ""] = file.split("/");
  return parent === "packages" || parent === "apps" ? `${parent}/${name}/` : `${parent}/`;
}

const importsOf = (file: string): string[] =>
  ts
    .preProcessFile(readFileSync(`${REPOSITORY}${file}`, "utf8"), true, true)
    .importedFiles.map(({ fileName }) => fileName);

/** Returns the paths outside of its package that a file imports. */
function outside(file: string): string[] {
  return importsOf(file)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => posix.join(posix.dirname(file), specifier))
    .filter((target) => !target.startsWith(packageOf(file)));
}

describe("a test imports what another package has by its name", () => {
  const files = globSync(
    ["{packages,apps}/*/test/**/*.{ts,tsx}", "{fixtures,lab}/test/**/*.ts", "packages/testing/src/**/*.ts"],
    {
      cwd: REPOSITORY,
    },
  );
  const targets = files.flatMap((file) => outside(file).map((target) => ({ file, target })));

  test("except for what has no name", () => {
    expect(files.length).toBeGreaterThan(500);
    const isNamed = (target: string): boolean => !Object.keys(WITHOUT_NAME).some((path) => target.startsWith(path));
    expect(targets.filter(({ target }) => isNamed(target))).toEqual([]);
  });

  test.each(Object.keys(WITHOUT_NAME))("and %s is imported by its path", (path) => {
    expect(targets.filter(({ target }) => target.startsWith(path))).not.toEqual([]);
  });
});

describe("@agentprint/testing", () => {
  test("is in no source that is published", () => {
    const sources = globSync(["{packages,apps}/*/src/**/*.{ts,tsx}", "fixtures/src/**/*.ts"], { cwd: REPOSITORY });
    const others = sources.filter((file) => !TOOLS.includes(packageOf(file)));
    expect(others.filter((file) => importsOf(file).some((name) => name.startsWith("@agentprint/testing")))).toEqual([]);
  });

  // Turbo counts the root's dependencies, and theirs, as part of every package.
  test("is declared where sources are tools, and hoisted for all others", () => {
    const manifests = globSync(["package.json", "{packages,apps}/*/package.json", "{fixtures,lab}/package.json"], {
      cwd: REPOSITORY,
    });
    const declaring = manifests.filter((file) => {
      const { name, ...manifest } = JSON.parse(readFileSync(`${REPOSITORY}${file}`, "utf8"));
      return JSON.stringify(manifest).includes('"@agentprint/testing"');
    });
    expect(declaring.sort()).toEqual(TOOLS.map((folder) => `${folder}package.json`).sort());
    const hoisted = readFileSync(`${REPOSITORY}pnpm-workspace.yaml`, "utf8");
    expect(hoisted).toMatch(/^publicHoistPattern:\n(?: {2}.*\n)*? {2}- "@agentprint\/testing"$/m);
  });
});
