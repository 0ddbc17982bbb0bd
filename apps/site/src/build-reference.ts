import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, LogLevel, PageEvent, ReflectionKind } from "typedoc";
import { addressOf } from "./addresses.ts";
import { packagePages, publishedEntries } from "./entries.ts";
import { GROUPS, ROOT } from "./pages.ts";
import { usable, withPage } from "./reference-html.ts";

const APP = fileURLToPath(new URL("..", import.meta.url));

const JAVASCRIPT = "https://developer.mozilla.org/docs/Web/JavaScript/Reference/Global_Objects";

/** The languages of code in doc comments. */
const LANGUAGES = "bash console go ini javascript json python rust toml typescript yaml".split(" ");

/** Writes the reference into `out`, from the doc comments of all published entries; the site is served at `base`. */
export async function buildReference(out: string, base: string): Promise<void> {
  const entries = publishedEntries();
  const names = [...entries.values()];
  const readmes = packagePages();
  const app = await Application.bootstrap({
    name: "agentprint",
    entryPoints: [...entries.keys()],
    tsconfig: join(APP, "tsconfig.reference.json"),
    skipErrorChecking: true,
    readme: "none",
    sortEntryPoints: false,
    navigation: { includeGroups: false, includeCategories: false, includeFolders: false },
    navigationLeaves: names, // a branch would be a link in a button, which a screen reader cannot tell apart
    navigationLinks: linksToGroups(base),
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
    highlightLanguages: LANGUAGES,
    validation: { notExported: false, invalidLink: true, invalidPath: true, notDocumented: false },
    logLevel: LogLevel.Warn,
    hideGenerator: true,
    lightHighlightTheme: "github-light-high-contrast",
    darkHighlightTheme: "github-dark-high-contrast",
  });
  // A doc comment may name a class of another package, which its file does not import.
  app.converter.addUnknownSymbolResolver((reference, { project }) => {
    const [{ path: name = "" } = {}, ...members] = reference.symbolReference?.path ?? [];
    if (members.length > 0 || reference.moduleSource !== undefined) return undefined;
    if (name === "Error") return `${JAVASCRIPT}/${name}`;
    const target = project.getReflectionsByKind(ReflectionKind.Class).find((each) => each.name === name);
    // The generator accepts a reflection as well as a URL; its types name only the URL.
    return target && { target: target as unknown as string };
  });
  app.renderer.on(PageEvent.END, (page) => {
    if (page.contents === undefined) return;
    const readme = page.url.startsWith("modules/") ? readmes.get(page.model.name) : undefined;
    page.contents = withPage(usable(page.contents), readme && `${base}${addressOf(readme)}.html`);
  });
  const points = app.getEntryPoints()?.map((point) => ({
    ...point,
    displayName: entries.get(point.sourceFile?.fileName ?? "") ?? point.displayName,
  }));
  if (points === undefined) throw new Error("the entries of the packages could not be read");
  const project = app.converter.convert(points);
  app.validate(project);
  await app.generateDocs(project, out);
  addSheets(join(out, "assets/custom.css"));
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error("the reference has warnings");
}

/** Inserts the colours, fonts and scroll rules of all pages before the reference's style sheet. */
function addSheets(sheet: string): void {
  const paths = [join(ROOT, "packages/page-style/tokens.css"), join(APP, "scrolling.css"), sheet];
  writeFileSync(sheet, paths.map((path) => readFileSync(path, "utf8")).join("\n"));
}

const linksToGroups = (base: string): Record<string, string> =>
  Object.fromEntries(Object.entries(GROUPS).map(([group, [first = ""]]) => [group, `${base}${addressOf(first)}.html`]));
