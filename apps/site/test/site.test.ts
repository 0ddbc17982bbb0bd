import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { brokenLinks } from "../src/check-links.ts";
import { publishedEntries } from "../src/entries.ts";
import { PAGES, ROOT } from "../src/pages.ts";
import { stagePages } from "../src/stage.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "site-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("every document of docs is a page, and every page is a document", () => {
  const documents = globSync("docs/*.md", { cwd: ROOT });
  expect(documents.filter((path) => !PAGES.has(path))).toEqual([]);
  expect([...PAGES].filter((path) => globSync(path, { cwd: ROOT }).length !== 1)).toEqual([]);
});

test("links lead to pages; what is no page is in the repository, or is text where there is none", () => {
  const staged = (path: string): string => readFileSync(join(folder, path), "utf8");
  stagePages(folder, null);
  expect(staged("README.md")).toContain("[docs/ci.md](docs/ci.md)");
  expect(staged("README.md")).toContain("[apps/cli](apps/cli/README.md)");
  expect(staged("docs/pin.md")).toMatch(/^---\ntitle: "Pin your servers"\ngroup: "Guides"\n---\n\nA pin is/);
  expect(staged("apps/registry/README.md")).toContain("compose.yaml runs two instances");
  stagePages(folder, "https://git.somebody.net/a/b");
  expect(staged("apps/registry/README.md")).toContain(
    "[compose.yaml](https://git.somebody.net/a/b/tree/HEAD/apps/registry/compose.yaml) runs two instances",
  );
});

test("every published entry has the name by which it is imported", () => {
  const names = [...publishedEntries().values()];
  expect(names).toContain("@agentprint/trail/record");
  expect(names).toContain("@agentprint/canonical-json");
  expect(new Set(names).size).toBe(names.length);
});

test("a link to a file or an anchor that is not there is found, and no other", () => {
  mkdirSync(join(folder, "deep"));
  writeFileSync(
    join(folder, "index.html"),
    '<a href="deep/a.html#b">1</a> <a href="gone.html">2</a> <a href="#here">3</a>',
  );
  writeFileSync(
    join(folder, "deep/a.html"),
    '<p id="b" /> <a href="../index.html?x=1">4</a> <a href="#c">5</a> <a href="https://example.com/x">6</a>',
  );
  expect(brokenLinks(folder).sort()).toEqual(["deep/a.html: #c", "index.html: #here", "index.html: gone.html"]);
});
