import { mkdirSync, writeFileSync } from "node:fs";
import { canRun, outputOf } from "@agentprint/testing/programs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorOf, instructionsOf, Project, tooLarge } from "../project.ts";

describe("too much is an error", () => {
  test("of files", async () => {
    using project = new Project().write({ "a/AGENTS.md": "" });
    for (let n = 0; n <= 2000; n++) {
      mkdirSync(project.path(`f/${n}`), { recursive: true });
      writeFileSync(project.path(`f/${n}/AGENTS.md`), "");
    }
    expect(await errorOf(project)).toEqual(tooLarge("", "more than 2000 instruction files"));
  });

  test("of work that rules ask for", async () => {
    const stars = `${"*a".repeat(100)}b\n`.repeat(1200);
    using project = new Project().write({ ".gitignore": stars, [`${`${"a".repeat(200)}/`.repeat(4)}x`]: "" });
    expect(await errorOf(project)).toEqual(tooLarge("", "too much work"));
  });
});

/** Names of files and folders, and the pieces of patterns. */
const NAMES = ["a", "b", "ab", "a b", "é", "a-b", "[a]", ".x", "A"];
const PIECES = [
  ..."ab*?/[]!\\ #é-.x^\r",
  "**",
  "**/",
  "/**",
  "[a-b]",
  "[!a]",
  "[[:alpha:]]",
  "[[:x:]]",
  "AGENTS.md",
  "a/",
  "[]a]",
];

describe.runIf(canRun("git"))("the rules of .gitignore", () => {
  test("are those of Git", async () => {
    using project = new Project();
    const git = (...args: string[]): string =>
      outputOf("git", ["-c", "core.excludesFile=", ...args], { cwd: project.folder });
    git("init", "--quiet");
    const folders = NAMES.flatMap((one) => [one, ...NAMES.slice(0, 4).map((two) => `${one}/${two}`), `${one}/a/b`]);
    for (const folder of folders) project.write({ [`${folder}/AGENTS.md`]: "" });
    const line = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
    const file = fc.array(line, { maxLength: 4 }).map((lines) => lines.join("\n"));
    await fc.assert(
      fc.asyncProperty(file, file, async (root, below) => {
        project.write({ ".gitignore": root, "a/.gitignore": below });
        const listed = git("ls-files", "-z", "--others", "--exclude-standard").split("\0");
        expect(await instructionsOf(project)).toEqual(listed.filter((path) => path.endsWith("/AGENTS.md")).sort());
      }),
      { numRuns: 200 },
    );
  });
});
