import { createHash } from "node:crypto";
import { escapeText } from "@agentprint/canonical-json";
import type { Language } from "@agentprint/manifest";
import { MARK } from "@agentprint/page-style";
import { html, raw } from "hono/html";
import { STYLE } from "./style.ts";
import { TEXTS } from "./texts.ts";

/** A part of a page, created by `html`, which escapes all text. */
export type Html = ReturnType<typeof html>;

/** The request that a page answers. */
export interface PageRequest {
  readonly language: Language;
  /** The page's path. */
  readonly path: string;
  /** The page's query, without the language. */
  readonly query: Readonly<Record<string, string | undefined>>;
}

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** A page's content security policy: allows its style, forms to this host, and the registry's own script. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "script-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

/** Returns text of unknown origin as HTML that shows invisible characters and isolates the text's direction. */
export function shown(text: string): Html {
  return html`<bdi>${escapeText(text)}</bdi>`;
}

/** Returns the address of a page in the language of the current page. */
export function linkTo(
  { language }: Pick<PageRequest, "language">,
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const given = Object.entries({ ...query, lang: language }).filter(([, value]) => value !== undefined);
  return `${path}?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

/** Returns the address of an agent's page. */
export function agentPage(request: PageRequest, agentId: string, rest = "", query = {}): string {
  return linkTo(request, `/pages/agents/${agentId}${rest}`, query);
}

/** Returns a complete page. */
export function layout(request: PageRequest, title: string, main: Html): Html {
  const { language, path, query } = request;
  const texts = TEXTS[language];
  const other = language === "en" ? "zh" : "en";
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeText(title)}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">${texts.skip}</a>
<header><a class="home" href="${linkTo(request, "/")}">${raw(MARK)}${texts.title}</a><a href="${linkTo({ language: other }, path, query)}" lang="${other}" hreflang="${other}">${texts.otherLanguage}</a></header>
<main id="main" tabindex="-1">
<h1>${shown(title)}</h1>
${main}
</main>
<footer><a href="/docs">${texts.api}</a></footer>
</body>
</html>`;
}
