import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { GROUPS, PAGES, ROOT } from "./pages.ts";

const PICTURES = "docs/pictures";

/** Code, in which nothing is a link; links and references; targets in HTML. */
const LINKS = /^```.*?^```$|`[^`\n]*`|\[([^\]]*)\]\(<?([^)\s>]+)>?\)|^(\[[^\]]+\]: )(\S+)|((?:src|srcset)=")([^"]+)/gms;

/** Writes the pages into a folder as the generator takes them: with titles and groups, and with links to pages alone. */
export function stagePages(folder: string, repository: string | null): void {
  for (const page of PAGES) {
    const group = Object.entries(GROUPS).find(([, pages]) => pages.includes(page))?.[0];
    const text = withTargets(readFileSync(join(ROOT, page), "utf8"), page, repository);
    mkdirSync(dirname(join(folder, page)), { recursive: true });
    writeFileSync(join(folder, page), withHead(text, group));
  }
  cpSync(join(ROOT, PICTURES), join(folder, PICTURES), { recursive: true });
}

/** The generator shows the title itself; the first page has that of the site, and no group. */
function withHead(text: string, group: string | undefined): string {
  const [heading = "", title = ""] = /^# (.+)\n/m.exec(text) ?? [];
  const body = text.replace(heading, "");
  if (group === undefined) return body;
  const head = [`title: ${JSON.stringify(title.replaceAll("`", ""))}`, `group: ${JSON.stringify(group)}`];
  return `---\n${head.join("\n")}\n---\n${body}`;
}

/** A link to a file that is no page leads to the repository; where there is none, its text is left. */
function withTargets(text: string, page: string, repository: string | null): string {
  return text.replaceAll(LINKS, (all: string, label, target, start, reference, attribute, source) => {
    const path = target ?? reference ?? source;
    if (path === undefined || /^[a-z]+:|^#/.test(path) || source !== undefined) return all;
    const [file = "", anchor] = path.split("#");
    const wanted = posix.join(posix.dirname(page), file).replace(/\/$/, "");
    const found = [wanted, `${wanted}/README.md`].find((candidate) => PAGES.has(candidate));
    if (found === undefined && !existsSync(join(ROOT, wanted))) throw new Error(`${page}: nothing is at ${path}`);
    const relative = found && posix.relative(posix.dirname(page), found);
    const link = relative ?? (repository && `${repository}/tree/HEAD/${wanted}`);
    if (!link) return label ?? "";
    const whole = anchor === undefined ? link : `${link}#${anchor}`;
    return (attribute ?? start === undefined) ? `[${label}](${whole})` : `${start}${whole}`;
  });
}
