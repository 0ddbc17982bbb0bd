import { join } from "node:path";
import { Application, LogLevel, PageEvent, ReflectionKind } from "typedoc";
import { publishedEntries } from "./entries.ts";
import { ROOT } from "./pages.ts";

const APP = new URL("..", import.meta.url).pathname;

const JAVASCRIPT = "https://developer.mozilla.org/docs/Web/JavaScript/Reference/Global_Objects";

/** Makes the reference of the doc comments of all published entries; the pages of the site lie at `base`. */
export async function buildReference(out: string, base: string): Promise<void> {
  const entries = publishedEntries();
  const app = await Application.bootstrap({
    name: "agentprint",
    entryPoints: [...entries.keys()],
    tsconfig: join(APP, "tsconfig.reference.json"),
    skipErrorChecking: true,
    readme: "none",
    sortEntryPoints: false,
    navigation: { includeGroups: true, includeCategories: true, includeFolders: true, compactFolders: true },
    navigationLinks: { Guides: `${base}guides/pin.html` },
    titleLink: `${base}index.html`,
    favicon: join(ROOT, "docs/pictures/mark.svg"),
    customCss: join(APP, "reference.css"),
    visibilityFilters: {}, // their style element breaks the policy of the pages
    disableSources: true,
    disableGit: true,
    excludeExternals: true,
    excludePrivate: true,
    githubPages: false,
    includeHierarchySummary: false,
    highlightLanguages: [
      "bash",
      "console",
      "go",
      "ini",
      "javascript",
      "json",
      "python",
      "rust",
      "toml",
      "typescript",
      "yaml",
    ],
    validation: { notExported: false, invalidLink: true, invalidPath: true, notDocumented: false },
    logLevel: LogLevel.Warn,
    hideGenerator: true,
  });
  // A doc comment may name a class of another package, which its file does not import.
  app.converter.addUnknownSymbolResolver((reference, { project }) => {
    const [{ path: name = "" } = {}, ...members] = reference.symbolReference?.path ?? [];
    if (members.length > 0 || reference.moduleSource !== undefined) return undefined;
    if (name === "Error") return `${JAVASCRIPT}/${name}`;
    const target = project.getReflectionsByKind(ReflectionKind.Class).find((each) => each.name === name);
    // The generator takes a reflection as it takes a URL; its types name the second only.
    return target && { target: target as unknown as string };
  });
  app.renderer.on(PageEvent.END, (page) => {
    if (page.contents !== undefined) page.contents = usable(page.contents);
  });
  const points = app.getEntryPoints()?.map((point) => ({
    ...point,
    displayName: entries.get(point.sourceFile?.fileName ?? "") ?? point.displayName,
  }));
  if (points === undefined) throw new Error("the entries of the packages could not be read");
  const project = app.converter.convert(points);
  app.validate(project);
  await app.generateDocs(project, out);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error("the reference has warnings");
}

const LINK_IN_SUMMARY = /(<summary\b(?:(?!<\/summary>).)*?)<a [^>]*class="tsd-anchor-icon">.*?<\/a>/gs;

/** Names the parts of a page, and takes links out of buttons, for screen readers. */
function usable(html: string): string {
  return html
    .replace('<div class="col-content">', '<div class="col-content" role="main">')
    .replace('<div class="col-sidebar">', '<div class="col-sidebar" role="complementary" aria-label="Contents">')
    .replace('<nav id="tsd-sidebar-links"', '<nav aria-label="Site" id="tsd-sidebar-links"')
    .replaceAll(LINK_IN_SUMMARY, "$1");
}
