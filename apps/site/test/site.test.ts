import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addPolicies, policyOf } from "../src/add-policies.ts";
import { addressOf } from "../src/addresses.ts";
import { brokenLinks } from "../src/check-links.ts";
import { packagePages, publishedEntries } from "../src/entries.ts";
import { homeOf } from "../src/home.ts";
import { GROUPS, PAGES, ROOT, titleOf } from "../src/pages.ts";
import { usable, withPage } from "../src/reference-html.ts";
import { stagePages } from "../src/stage.ts";
import { StyleSheet } from "../src/without-styles.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "site-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const staged = (path: string): string => readFileSync(join(folder, path), "utf8");

test("every document in docs is a page, and every page is a document", () => {
  const documents = globSync("docs/*.md", { cwd: ROOT });
  expect(documents.filter((path) => !PAGES.has(path))).toEqual([]);
  expect([...PAGES].filter((path) => globSync(path, { cwd: ROOT }).length !== 1)).toEqual([]);
});

test("every page has a unique address", () => {
  const addresses = [...PAGES].map(addressOf);
  expect(new Set(addresses).size).toBe(PAGES.size);
  expect(addresses).toEqual(expect.arrayContaining(["index", "guides/pin", "packages/trail", "packages/cli"]));
});

test("every page has a unique title in the list of its group", () => {
  for (const [group, pages] of Object.entries(GROUPS)) {
    const titles = pages.map(titleOf);
    expect(
      titles.filter((title, place) => titles.indexOf(title) !== place),
      group,
    ).toEqual([]);
  }
});

test("the page of a published package leads to its reference, and no other page does", () => {
  stagePages(folder, { base: "/", repository: null });
  const leads = (page: string): boolean =>
    staged(`${addressOf(page)}.md`)
      .split("---")[1]
      ?.includes("reference: ") === true;
  expect(staged("packages/mcp-lock.md")).toContain('reference: "reference/modules/_agentprint_mcp-lock.html"');
  expect([...PAGES].filter(leads).sort()).toEqual(
    [...packagePages()]
      .filter(([name]) => [...publishedEntries().values()].includes(name))
      .map(([, page]) => page)
      .sort(),
  );
});

test("a reference page uses the colours of the other pages, and has no link inside a button and no skipped heading level", () => {
  const html = usable(
    '<head></head><div class="col-content"><summary>a<a class="tsd-anchor-icon">#</a></summary><h1>m</h1></div>',
  );
  expect(html).toMatch(/<script>\{\s*const site = "vitepress-theme-appearance".*<\/script><\/head>/s);
  expect(html).toContain('<div class="col-content" role="main"><summary>a</summary>');
  expect(usable("<h1>a</h1><h4>b</h4><h5>c</h5><h2>d</h2><h3>e</h3>")).toBe(
    '<h1>a</h1><h4 aria-level="2">b</h4><h5 aria-level="3">c</h5><h2>d</h2><h3>e</h3>',
  );
  expect(withPage("<h1>m</h1>", "/packages/a.html")).toBe(
    '<h1>m</h1><p class="to-page"><a href="/packages/a.html">How to use this package</a></p>',
  );
  expect(withPage("<h1>m</h1>", undefined)).toBe("<h1>m</h1>");
});

test("every guide begins with what a reader does and the minutes that it takes", () => {
  const heads = (GROUPS["Guides"] ?? []).map((page) => readFileSync(join(ROOT, page), "utf8").slice(0, 500));
  expect(heads.filter((head) => !/^# .+\n\n(?:You|Find out) (?:(?!\n\n).)+\stakes\s\d+\sminutes/s.test(head))).toEqual(
    [],
  );
});

test("links lead to pages; a file without a page is linked in the repository, or is plain text without one", () => {
  stagePages(folder, { base: "/", repository: null });
  expect(staged("index.md")).toContain("[Check in CI](/guides/ci.md)");
  expect(staged("index.md")).toContain("[how the packages fit together](/background/architecture.md)");
  expect(staged("guides/pin.md")).toMatch(/^---\ndescription: "You create .+"\nsource: "docs\/pin.md"\n---\n/);
  expect(staged("packages/registry.md")).toContain("compose.yaml runs two instances");
  stagePages(folder, { base: "/", repository: "https://git.somebody.net/a/b" });
  expect(staged("packages/registry.md")).toContain(
    "[compose.yaml](https://git.somebody.net/a/b/tree/HEAD/apps/registry/compose.yaml) runs two instances",
  );
});

test("every rule and every error code has an anchor, to which messages and reports can link", () => {
  stagePages(folder, { base: "/", repository: null });
  const [rules, errors] = [staged(`${addressOf("docs/RULES.md")}.md`), staged(`${addressOf("docs/ERRORS.md")}.md`)];
  const ids = [...readFileSync(join(ROOT, "docs/RULES.md"), "utf8").matchAll(/^\| [^`|]*`(\w[\w/-]+)`/gm)].map(
    ([, id = ""]) => id,
  );
  expect(ids.length).toBeGreaterThan(100);
  expect(ids.filter((id) => !rules.includes(`<a id="${id.replace("/", "-").toLowerCase()}"></a>`))).toEqual([]);
  expect(errors).toContain('<a id="mcplockerror-digest-mismatch"></a>');
});

test("the first page has the command before the picture, the picture in both colours, and four doors", () => {
  stagePages(folder, { base: "/below/", repository: null });
  const home = staged("index.md");
  const places = ["layout: ", "pnpm@12 demo", 'class="when-light" src="/below/pictures/', 'class="door"'];
  expect(places.map((text) => home.indexOf(text)).filter((place) => place >= 0)).toHaveLength(places.length);
  expect(places.map((text) => home.indexOf(text))).toEqual(
    places.map((text) => home.indexOf(text)).sort((a, b) => a - b),
  );
  expect(() => homeOf("# agentprint\n\nNothing else.\n")).toThrow("the README has no picture, or not four doors");
});

test("every published entry has the name by which it is imported", () => {
  const names = [...publishedEntries().values()];
  expect(names).toContain("@agentprint/trail/record");
  expect(names).toContain("@agentprint/canonical-json");
  expect(new Set(names).size).toBe(names.length);
});

test("only links to missing files or anchors are reported", () => {
  mkdirSync(join(folder, "deep"));
  writeFileSync(
    join(folder, "index.html"),
    '<a href="deep/a.html#b">1</a> <a href="gone.html">2</a> <a href="#here">3</a> <a href="/at/deep/a.html">4</a>',
  );
  writeFileSync(
    join(folder, "deep/a.html"),
    '<p id="b" /> <a href="../index.html?x=1">5</a> <a href="#c">6</a> <a href="https://example.com/x">7</a> <a href="/at/">8</a> <a href="/deep/a.html">9</a>',
  );
  expect(brokenLinks(folder, "/at/").sort()).toEqual([
    "deep/a.html: #c",
    "deep/a.html: /deep/a.html",
    "index.html: #here",
    "index.html: gone.html",
  ]);
});

test("a page may run only its own inline scripts", () => {
  const html = '<head><meta charset="utf-8"><script id="a">go()</script><script src="x.js"></script></head>';
  // printf 'go()' | openssl dgst -sha256 -binary | base64
  const allowed = "'sha256-5KYv+PUboo5h+0+YAtGRPbwv5d/QxzHslP4YGnUaxRw='";
  expect(policyOf(html)).toContain(`default-src 'none'; script-src 'self' ${allowed}; style-src 'self' `);
  expect(policyOf(html)).not.toContain("unsafe");
  writeFileSync(join(folder, "index.html"), html);
  addPolicies(folder);
  expect(staged("index.html")).toContain(`<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="`);
});

test("a style becomes a rule, and text that looks like one stays as it is", () => {
  const sheet = new StyleSheet();
  const html = '<td class="a" style="text-align:right">style="x"</td><i style="text-align:right"></i>';
  expect(sheet.without(html)).toBe('<td class="a" data-style="s0">style="x"</td><i data-style="s0"></i>');
  expect(sheet.text()).toBe('[data-style="s0"]{text-align:right}\n');
});
