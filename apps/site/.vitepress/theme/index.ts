import { type Theme, useData } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { type Component, h } from "vue";
import "@agentprint/page-style/tokens.css";
import "../../scrolling.css";
import "./style.css";

/** Pages found by a search are ordered by how well they fit, times this: a guide comes before what one looks up. */
const WEIGHTS: Readonly<Record<string, number>> = { guides: 4, "look-up": 1.5, packages: 0.5 };

/** Leads from a package to its reference; says which file a page is made of, and where the way to change it is described. */
const Source: Component = {
  setup() {
    const { frontmatter, site } = useData();
    return () => {
      const { source, reference } = frontmatter.value;
      if (source === undefined) return undefined;
      const { base } = site.value;
      const how = h("a", { href: `${base}project/contributing.html` }, "How to change it");
      const exports = h("a", { href: base + reference, target: "_self" }, "Every export, in the reference");
      return h("p", { class: "source" }, [
        ...(reference === undefined ? [] : [exports, ". "]),
        ...["This page is ", h("code", source), " in the repository. ", how, "."],
      ]);
    };
  },
};

/** The page for an address at which there is none. */
const NotFound: Component = {
  setup() {
    const { site } = useData();
    return () =>
      h("main", { class: "vp-doc not-found" }, [
        h("h1", "No page is at this address"),
        h("p", "It may have moved. The search finds pages by what they are about."),
        h("p", h("a", { href: site.value.base }, "To the first page")),
      ]);
  },
};

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "doc-footer-before": () => h(Source), "not-found": () => h(NotFound) }),
  enhanceApp({ siteData }) {
    // A function in the configuration would be sent as text and need `eval`.
    siteData.value.themeConfig.search.options.miniSearch = {
      searchOptions: {
        fuzzy: (term: string) => (term.length > 4 ? 0.2 : false), // or else "rug" finds "run"
        boostDocument: (id: string) => WEIGHTS[id.split("/").find((part) => part in WEIGHTS) ?? ""] ?? 1,
      },
    };
  },
};
export default theme;
