import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { runProgram } from "@agentprint/testing/programs";
import { afterAll, describe, expect, test } from "vitest";
import { examplesOf, packageRoots, REPOSITORY, withChecks } from "../examples.ts";

/**
 * The examples of all packages are compiled and run together: this is slow on a busy machine, but does not wait for
 * anything.
 */
const COMPUTES_MS = 600_000;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Runs a program, and returns its output if it failed, otherwise `""`. */
function complaint(command: string, args: readonly string[], cwd: string): string {
  const { status, signal, stdout, stderr } = runProgram(command, args, { cwd, timeout: COMPUTES_MS });
  return status === 0 ? "" : `${stdout}${stderr}` || `it ended with ${status ?? signal}`;
}

/** The examples of each package, in a folder inside the package, so that its own name and its dependencies resolve. */
const packages = packageRoots().map((root) => {
  const folder = mkdtempSync(`${REPOSITORY}${root}/.examples-`);
  folders.push(folder);
  writeFileSync(`${folder}/README.md`, `# ${root}\n`); // for examples that read a file
  const examples = examplesOf(root);
  const files = examples.map((example, index) => {
    writeFileSync(`${folder}/${index}.ts`, withChecks(example));
    return `${index}.ts`;
  });
  return { root, folder, files };
});

test("there are packages to look at", () => {
  expect(packages.map(({ root }) => root)).toContain("packages/canonical-json");
});

test("the examples of all packages compile", { timeout: COMPUTES_MS }, () => {
  const folder = mkdtempSync(`${REPOSITORY}docs/.examples-`);
  folders.push(folder);
  writeFileSync(
    `${folder}/tsconfig.json`,
    JSON.stringify({
      extends: "../../tsconfig.base.json",
      compilerOptions: {
        noUnusedLocals: false,
        isolatedDeclarations: false,
        rewriteRelativeImportExtensions: false,
        allowImportingTsExtensions: true,
      },
      include: packages.map((each) => `${each.folder}/*.ts`),
    }),
  );
  expect(complaint(`${REPOSITORY}node_modules/.bin/tsc`, ["-p", folder], REPOSITORY)).toBe("");
});

/** Runs the examples of all packages in one process, which loads each source once. Returns the errors by package. */
function failures(): Record<string, string[]> {
  const folder = mkdtempSync(`${REPOSITORY}docs/.examples-`);
  folders.push(folder);
  const lines = packages.flatMap(({ root, folder, files }) => [
    `process.chdir(${JSON.stringify(folder)});`,
    ...files.map((file) => `await run(${JSON.stringify(root)}, ${JSON.stringify(`${folder}/${file}`)});`),
  ]);
  writeFileSync(`${folder}/all.mjs`, [RUN, ...lines, "", WRITE].join("\n"));
  const args = ["--conditions=@agentprint/source", "all.mjs"];
  const ended = complaint(process.execPath, args, folder);
  if (ended !== "") throw new Error(ended);
  return JSON.parse(readFileSync(`${folder}/errors.json`, "utf8"));
}

const RUN = `import { writeFileSync } from "node:fs";
import { inspect } from "node:util";
const errors = {};
const run = (root, file) => import(file).catch((error) => (errors[root] ??= []).push(inspect(error)));`;
const WRITE = `writeFileSync(new URL("errors.json", import.meta.url), JSON.stringify(errors));`;

describe.each(packages)("the doc comments and the README of $root", ({ files }) => {
  test("have examples", () => {
    expect(files.length).toBeGreaterThan(0);
  });
});

test("the examples of all packages print their documented output", { timeout: COMPUTES_MS }, () => {
  expect(failures()).toEqual({});
});
