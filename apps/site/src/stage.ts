import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { addressOf, type Targets, targetOf } from "./addresses.ts";
import { referencesOfPages } from "./entries.ts";
import { homeOf } from "./home.ts";
import { HOME, PAGES, ROOT, titleOf } from "./pages.ts";

const PICTURES = "docs/pictures";

/** Matches code, in which nothing is a link, and links and references. */
const LINKS = /^```.*?^```$|`[^`\n]*`|\[([^\]]*)\]\(<?([^)\s>]+)>?\)|^(\[[^\]]+\]: )(\S+)/gms;

/** A picture in two colour schemes, as GitHub accepts it. */
const PICTURE =
  /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img src="([^"]+)"\s+alt="([^"]*)">\s*<\/picture>/g;

/** Writes the pages into a folder in the generator's layout: each at its address, with links only to pages. */
export function stagePages(folder: string, targets: Targets): void {
  const references = referencesOfPages();
  for (const page of PAGES) {
    const text = readFileSync(join(ROOT, page), "utf8");
    const whole = withPictures(withTargets(page === HOME ? homeOf(text) : text, page, targets), targets.base);
    const path = join(folder, `${addressOf(page)}.md`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${headOf(page, text, references.get(page))}\n::: v-pre\n\n${whole}\n:::\n`);
  }
  cpSync(join(ROOT, PICTURES), join(folder, "public/pictures"), { recursive: true });
}

/** Returns the first paragraph of a page in one line, without markup. */
function aboutOf(text: string): string {
  const [, paragraph = ""] = /^# [^\n]+\n+([^\n`<|][^\n]*(?:\n[^\n]+)*)/m.exec(text) ?? [];
  return paragraph
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/\s+/g, " ");
}

function headOf(page: string, text: string, reference: string | undefined): string {
  const members = {
    ...(page === HOME && { layout: "home" }),
    description: aboutOf(text),
    source: page,
    ...(reference !== undefined && { reference }),
  };
  return `---\n${Object.entries(members)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join("\n")}\n---\n`;
}

/** Makes links point into the site; a link without a target becomes plain text. */
function withTargets(text: string, page: string, targets: Targets): string {
  return text.replaceAll(LINKS, (all: string, label, link, start, reference) => {
    const path = link ?? reference;
    const target = path === undefined ? path : targetOf(path, page, targets);
    if (path === undefined || target === path) return all;
    if (target === undefined) return label ?? "";
    return start === undefined ? `[${textOf(label, target)}](${target})` : `${start}${target}`;
  });
}

/** Returns the text of a link: the site shows titles where GitHub shows the paths of pages. */
function textOf(label: string, target: string): string {
  const path = target.replace(/#.*/, "");
  const page = /^[\w./-]+\.md$/.test(label) ? [...PAGES].find((each) => path === `/${addressOf(each)}.md`) : undefined;
  return page ? titleOf(page) : label;
}

/**
 * Returns one of the two images of a picture; the browser loads the one in the reader's colours when it becomes
 * visible, and reserves its height before.
 */
function imageOf(when: string, name: string, { alt, base }: { readonly alt: string; readonly base: string }): string {
  const [, size = ""] =
    /^<svg\b[^>]* (width="\d+" height="\d+")/.exec(readFileSync(join(ROOT, PICTURES, name), "utf8")) ?? [];
  if (size === "") throw new Error(`${PICTURES}/${name}: expected an SVG with a width and a height`);
  return `<img class="when-${when}" src="${base}pictures/${name}" ${size} loading="lazy" alt="${alt.replaceAll(/\s+/g, " ")}">`;
}

/** Shows one of two pictures, depending on the reader's choice of colours. */
function withPictures(text: string, base: string): string {
  const image = (when: string, path: string, alt: string): string => imageOf(when, posix.basename(path), { alt, base });
  return text.replaceAll(
    PICTURE,
    (_all, dark: string, light: string, alt: string) =>
      `<div class="picture" tabindex="0">${image("light", light, alt)}${image("dark", dark, alt)}</div>`,
  );
}
