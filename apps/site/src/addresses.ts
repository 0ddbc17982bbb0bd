import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { GROUPS, HOME, PAGES, ROOT } from "./pages.ts";

const slug = (text: string): string => text.toLowerCase().replaceAll(" ", "-");

/** Returns the path of a page in the site, without its extension: `docs/pin.md` becomes `guides/pin`. */
export function addressOf(page: string): string {
  if (page === HOME) return "index";
  const [group = ""] = Object.entries(GROUPS).find(([, pages]) => pages.includes(page)) ?? [];
  const name = page.replace(/\.md$/, "").replace(/^(?:docs|packages|apps)\//, "");
  const short = name.replace(/(?<=.)\/README/, "").replaceAll(/[/.]/g, "-");
  return `${slug(group)}/${short.toLowerCase()}`;
}

/** The places to which links on pages lead. */
export interface Targets {
  /** The path below which the site is served, with a slash at both ends. */
  readonly base: string;
  /** The address of the repository, if it has one. */
  readonly repository: string | null;
}

/**
 * Returns the target in the site for a link of a page in the repository: a page, or else a file of the repository;
 * `undefined` if the repository has no address. Throws if nothing is at the link.
 */
export function targetOf(link: string, page: string, { repository }: Targets): string | undefined {
  if (/^[a-z]+:|^#/.test(link)) return link;
  const [file = "", anchor] = link.split("#");
  const wanted = posix.join(posix.dirname(page), file).replace(/\/$/, "");
  const found = [wanted, `${wanted}/README.md`].find((candidate) => PAGES.has(candidate));
  if (found === undefined && !existsSync(join(ROOT, wanted))) throw new Error(`${page}: nothing is at ${link}`);
  const target = found ? `/${addressOf(found)}.md` : repository && `${repository}/tree/HEAD/${wanted}`;
  return target ? target + (anchor === undefined ? "" : `#${anchor}`) : undefined;
}
