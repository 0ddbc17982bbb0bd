import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { outputOf } from "@agentprint/testing/programs";
import { describe, expect, test } from "vitest";
import { anchorOf } from "../../../apps/site/src/anchor-of.ts";
import { REPOSITORY } from "../examples.ts";

interface Packed {
  readonly name: string;
  readonly files: readonly { readonly path: string }[];
}

const folders = globSync(["packages/*", "apps/*", "fixtures"], { cwd: REPOSITORY })
  .filter((folder) => globSync(`${folder}/package.json`, { cwd: REPOSITORY }).length === 1)
  .filter((folder) => !JSON.parse(read(`${folder}/package.json`)).private)
  .sort();
// The files that npm would publish, listed by npm itself, which is slow on a busy machine.
const PACK = ["pack", "--dry-run", "--json", "--ignore-scripts", ...folders.map((folder) => `./${folder}`)];
const packed: readonly Packed[] = Object.values(
  JSON.parse(outputOf("npm", PACK, { cwd: REPOSITORY, stdio: ["ignore", "pipe", "ignore"], timeout: 600_000 })),
);

function read(path: string): string {
  return readFileSync(`${REPOSITORY}${path}`, "utf8");
}

/** Returns the targets of the links in a Markdown text, except those in code. */
function linksOf(markdown: string): string[] {
  const text = markdown.replaceAll(/^```.*?^```/gms, "").replaceAll(/`[^`\n]*`/g, "code");
  return [...text.matchAll(/\]\(<?([^)\s>]+)[^)]*\)|^\[[^\]]+\]: (\S+)/gm)].map(([, a, b]) => String(a ?? b));
}

/** Returns the anchors of a Markdown text, which come from its headings. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(String(heading)));
}

describe.each(folders.map((folder, index) => [folder, packed[index] as Packed] as const))("%s", (folder, { files }) => {
  const paths = new Set(files.flatMap(({ path }) => [path, ...foldersOf(path)]));
  const texts = [...paths].filter((path) => path.endsWith(".md"));

  test("is packed with its README", () => {
    expect(texts).toContain("README.md");
  });

  test.each(texts)("every link of %s leads to a packed file, or to a domain", (text) => {
    const broken = linksOf(read(`${folder}/${text}`)).filter((link) => {
      if (/^https:\/\/[a-z0-9-]+(\.[a-z0-9-]+)+(\/|$)/.test(link)) return false;
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? text : posix.join(posix.dirname(text), path).replace(/\/$/, "");
      if (!paths.has(target)) return true;
      return anchor !== undefined && !anchorsOf(read(`${folder}/${target}`)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

function foldersOf(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === "." ? [] : [folder, ...foldersOf(folder)];
}
