import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { examplesOf, packageRoots, REPOSITORY, withChecks } from "./examples.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Runs a program, and returns its output if it failed, otherwise `""`. */
function complaint(command: string, args: readonly string[], cwd: string): string {
  try {
    execFileSync(command, args, { cwd, stdio: "pipe", encoding: "utf8" });
    return "";
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}${stderr}` || String(error);
  }
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

test("the examples of all packages compile", () => {
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

describe.each(packages)("the doc comments and the README of $root", ({ folder, files }) => {
  test("have examples", () => {
    expect(files.length).toBeGreaterThan(0);
  });

  test("have examples that do what they say", () => {
    writeFileSync(`${folder}/all.mjs`, files.map((file) => `await import("./${file}");\n`).join(""));
    expect(complaint(process.execPath, ["--conditions=@agentprint/source", `${folder}/all.mjs`], folder)).toBe("");
  });
});
