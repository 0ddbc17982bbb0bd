import { LANGUAGES, type Language } from "@agentprint/manifest";
import type { Context } from "hono";
import { html } from "hono/html";
import type { RegistryError } from "../errors.ts";
import type { PageRequest } from "../page/layout.ts";
import { type Html, layout, linkTo, PAGE_POLICY, shown } from "../page/layout.ts";
import { TEXTS } from "../page/texts.ts";
import { respond } from "./respond.ts";

/** Returns whether a path leads to a page for people. */
export function isPage(path: string): boolean {
  return path === "/" || path.startsWith("/pages/");
}

/**
 * Returns the request that a page answers. Its language is the one in the query, or else the first supported language
 * in `Accept-Language`.
 */
export function pageRequestOf(context: Context): PageRequest {
  const { lang, ...query } = context.req.query();
  return { language: languageOf(lang, context.req.header("accept-language")), path: context.req.path, query };
}

function languageOf(asked: string | undefined, accepted = ""): Language {
  const known = (text: string): Language | undefined =>
    LANGUAGES.find((one) => text.trim().toLowerCase().startsWith(one));
  const [first] = [asked ?? "", ...accepted.split(",")].map(known).filter((one) => one !== undefined);
  return first ?? "en";
}

/** Answers with a page. */
export async function pageAnswer(
  page: Html,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return respond(String(await page), status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": PAGE_POLICY,
    vary: "Accept-Language",
    ...headers,
  });
}

/** Answers with a page that shows an error. */
export function errorPage(context: Context, { status, message, headers }: RegistryError): Promise<Response> {
  const request = pageRequestOf(context);
  const texts = TEXTS[request.language];
  const main = html`<p lang="en">${shown(message)}</p><p><a href="${linkTo(request, "/")}">${texts.backToAgents}</a></p>`;
  return pageAnswer(layout({ ...request, path: "/", query: {} }, texts.notFoundTitle, main), status, headers);
}
