import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

const TARGETS = /\s(?:href|src|srcset)="([^"]*)"/g;
const ANCHORS = /\s(?:id|name)="([^"]*)"/g;

/** Returns the links inside a folder of pages, served at `base`, that lead to no file or to no anchor on their page. */
export function brokenLinks(folder: string, base: string): string[] {
  const files = new Set(globSync("**/*", { cwd: folder }).map((path) => path.replaceAll("\\", "/")));
  const pages = new Map(
    [...files].filter((path) => path.endsWith(".html")).map((path) => [path, readFileSync(join(folder, path), "utf8")]),
  );
  const anchors = new Map([...pages].map(([path, html]) => [path, new Set(matches(html, ANCHORS))]));
  return [...pages].flatMap(([page, html]) =>
    [...new Set(matches(html, TARGETS))]
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [path = "", anchor] = target.split("#").map(decodeURIComponent) as [string, string?];
        const file = fileOf(path, page, base);
        return !files.has(file) || (anchor !== undefined && anchor !== "" && anchors.get(file)?.has(anchor) === false);
      })
      .map((target) => `${page}: ${target}`),
  );
}

/** Returns the file that a path on a page leads to; a folder leads to its index. */
function fileOf(path: string, page: string, base: string): string {
  if (path === "") return page;
  if (path.startsWith("/")) return path.startsWith(base) ? path.slice(base.length) || "index.html" : path;
  return posix.join(posix.dirname(page), path);
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, value = ""]) => value.replaceAll("&amp;", "&").split("?")[0] ?? "");
}
