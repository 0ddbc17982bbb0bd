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

const roots = packageRoots();

test("there are packages to look at", () => {
  expect(roots).toContain("packages/canonical-json");
});

describe.each(roots)("the doc comments and the README of %s", (root) => {
  // Inside the package, so that its own name and its dependencies resolve.
  const folder = mkdtempSync(`${REPOSITORY}${root}/.examples-`);
  folders.push(folder);
  writeFileSync(`${folder}/README.md`, `# ${root}\n`); // for examples that read a file
  const examples = examplesOf(root);
  const files = examples.map((example, index) => {
    writeFileSync(`${folder}/${index}.ts`, withChecks(example));
    return `${index}.ts`;
  });

  test("have examples", () => {
    expect(examples.length).toBeGreaterThan(0);
  });

  test("have examples that compile", () => {
    writeFileSync(
      `${folder}/tsconfig.json`,
      JSON.stringify({
        extends: "../../../tsconfig.base.json",
        compilerOptions: {
          noUnusedLocals: false,
          isolatedDeclarations: false,
          rewriteRelativeImportExtensions: false,
          allowImportingTsExtensions: true,
        },
        include: ["*.ts"],
      }),
    );
    expect(complaint(`${REPOSITORY}node_modules/.bin/tsc`, ["-p", folder], REPOSITORY)).toBe("");
  });

  test("have examples that do what they say", () => {
    writeFileSync(`${folder}/all.mjs`, files.map((file) => `await import("./${file}");\n`).join(""));
    expect(complaint(process.execPath, ["--conditions=@agentprint/source", `${folder}/all.mjs`], folder)).toBe("");
  });
});
