import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { publicPackages } from "../../scripts/packed-packages.ts";
import { REPOSITORY } from "./examples.ts";
import { anchorOf } from "./headings.ts";

const read = (path: string): string => readFileSync(REPOSITORY + path, "utf8");

/** A line for each section of a document whose heading has a word, under the title of the document. */
function sections(word: RegExp, but: string): string[] {
  const documents = ["docs/*.md", "packages/*/README.md", "apps/*/README.md", "fixtures/README.md"];
  return globSync(documents, { cwd: REPOSITORY })
    .sort()
    .filter((path) => path !== but)
    .flatMap((path) => {
      const text = read(path);
      const title = /^# (.+)$/m.exec(text)?.[1];
      return [...text.matchAll(/^##+ (.+)$/gm)]
        .filter(([, heading = ""]) => word.test(heading))
        .map(([, heading = ""]) => `- [${title}: ${heading}](${posix.relative("docs", path)}#${anchorOf(heading)})`);
    });
}

test.each([
  ["decisions", /decision/i],
  ["threats", /threat|not see|cannot be seen/i],
] as const)("docs/%s.md leads to each such section", async (name, word) => {
  const path = `docs/${name}.md`;
  const [introduction = ""] = read(path).split(/\n(?=- )/);
  const lines = sections(word, path);
  expect(lines.length).toBeGreaterThan(6);
  await expect(`${introduction.trimEnd()}\n\n${lines.join("\n")}\n`).toMatchFileSnapshot(REPOSITORY + path);
});

test("docs/packages.md has one row for each package that is published", () => {
  const rows = [...read("docs/packages.md").matchAll(/^\| \[`([^`]+)`\]\(\.\.\/([^)]+)\)/gm)];
  const packages = rows.map(([, name = "", folder = ""]) => [name, folder]).sort();
  expect(packages).toEqual([...publicPackages()].sort());
});
