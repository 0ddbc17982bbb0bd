import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DefaultTheme, UserConfig } from "vitepress";
import { addressOf } from "../src/addresses.ts";
import { anchorOf } from "../src/anchor-of.ts";
import { STAGED } from "../src/build-pages.ts";
import { GROUPS, titleOf } from "../src/pages.ts";
import { StyleSheet } from "../src/without-styles.ts";

const styles = new StyleSheet();
const base = process.env["SITE_BASE"] ?? "/";

/**
 * Each group has its own sidebar: groups that fold would be buttons in buttons, which a screen reader cannot tell
 * apart.
 */
const sidebar: DefaultTheme.SidebarMulti = Object.fromEntries(
  Object.entries(GROUPS).map(([text, pages]) => {
    const items = pages.map((page) => ({ text: titleOf(page), link: `/${addressOf(page)}` }));
    return [`/${dirname(addressOf(pages[0] ?? ""))}/`, [{ text, items }]];
  }),
);

/** A link to the first page of a group. */
function groupLink(text: string): DefaultTheme.NavItemWithLink {
  const link = `/${addressOf(GROUPS[text]?.[0] ?? "")}`;
  return { text, link, activeMatch: `^${dirname(link)}/` };
}

/** Groups that fit the bar of a tablet beside the reference; the others are in a menu. */
const IN_BAR = ["Guides", "Look up", "Packages"];

const nav: DefaultTheme.NavItem[] = [
  ...IN_BAR.map(groupLink),
  { text: "Reference", link: "/reference/index.html", target: "_self" },
  {
    text: "More",
    items: Object.keys(GROUPS)
      .filter((text) => !IN_BAR.includes(text))
      .map(groupLink),
  },
];

const config: UserConfig<DefaultTheme.Config> = {
  title: "agentprint",
  description: "What changed in an agent's tools, permissions and logs since somebody reviewed them",
  lang: "en",
  srcDir: STAGED,
  metaChunk: true,
  head: [
    ["link", { rel: "icon", href: `${base}pictures/mark.svg` }],
    ["link", { rel: "stylesheet", href: `${base}code.css` }],
  ],
  // A switch of colours without a transition would need a style element, which the policy of the pages forbids.
  appearance: { disableTransition: false },
  vite: { build: { chunkSizeWarningLimit: 1000 } }, // the index of the search, which only a search loads
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    attrs: { disable: true },
    anchor: { slugify: anchorOf },
    config(md) {
      const render = md.renderer.render.bind(md.renderer);
      // A head of a table may be empty in Markdown; to a screen reader it would be a heading without a name.
      md.renderer.render = (...parts) =>
        styles.without(render(...parts)).replaceAll(/<th( [^>]*)?><\/th>/g, "<td$1></td>");
    },
  },
  transformHtml: (html) => styles.without(html),
  buildEnd({ outDir }) {
    writeFileSync(join(outDir, "code.css"), styles.text());
  },
  themeConfig: {
    nav,
    logo: "/pictures/mark.svg",
    sidebar,
    outline: [2, 3],
    externalLinkIcon: true,
    search: { provider: "local", options: { detailedView: true } },
  },
};
export default config;
