/** A script that uses the colours chosen on the other pages, and passes a choice made here on to them. */
const SAME_COLOURS = `<script>{
  const site = "vitepress-theme-appearance", here = "tsd-theme";
  const chosen = localStorage.getItem(site);
  if (chosen) localStorage.setItem(here, chosen === "auto" ? "os" : chosen);
  addEventListener("change", ({ target: { id, value } }) => {
    if (id === here) localStorage.setItem(site, value === "os" ? "auto" : value);
  });
}</script>`;

/** Adds a link from the exports of a package to its page. */
export function withPage(html: string, address: string | undefined): string {
  if (address === undefined) return html;
  return html.replace("</h1>", `</h1><p class="to-page"><a href="${address}">How to use this package</a></p>`);
}

const LINK_IN_SUMMARY = /(<summary\b(?:(?!<\/summary>).)*?)<a [^>]*class="tsd-anchor-icon">.*?<\/a>/gs;

/** Names the parts of a page and takes links out of buttons, for screen readers; uses the colours of the other pages. */
export function usable(html: string): string {
  return withOrder(html)
    .replace("</head>", `${SAME_COLOURS}</head>`)
    .replace('<div class="col-content">', '<div class="col-content" role="main">')
    .replace('<div class="col-sidebar">', '<div class="col-sidebar" role="complementary" aria-label="Contents">')
    .replace('<nav id="tsd-sidebar-links"', '<nav aria-label="Site" id="tsd-sidebar-links"')
    .replaceAll(LINK_IN_SUMMARY, "$1");
}

/** Lowers a heading that skips a level to one level below the heading before it. */
function withOrder(html: string): string {
  let before = 0;
  return html.replaceAll(/<h([1-6])\b/g, (tag, digit: string) => {
    const level = Number(digit);
    before = Math.min(level, before + 1);
    return before === level ? tag : `${tag} aria-level="${before}"`;
  });
}
