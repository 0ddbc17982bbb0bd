import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import type { openApiOf } from "./openapi.ts";

type Document = ReturnType<typeof openApiOf>;

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
html{background:light-dark(#fff,#14171b);color:light-dark(#1b1f24,#e6e8eb)}
body{max-width:60rem;margin:0 auto;padding:1rem}
h2{margin-top:2.5rem;overflow-wrap:anywhere}
a{color:light-dark(#0b57d0,#8ab4f8)}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}
pre{overflow-x:auto;border:1px solid;padding:.75rem}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;border-bottom:1px solid;padding:.25rem .75rem .25rem 0}
th,td,code{overflow-wrap:anywhere}`;

/** The page's content security policy, which allows only its own style. */
export const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly security?: unknown;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses?: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: { readonly description?: string };
}

type Content = Readonly<Record<string, { readonly schema?: object }>>;

/** Returns a page that shows an OpenAPI document to people, without scripts or further requests. */
export function docsPage(document: Document): Promise<string> | string {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({ path, method, operation })),
  );
  const schemas = Object.entries(document.components?.schemas ?? {});
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${document.info.title}: API</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<header><h1>${document.info.title}</h1><p>${document.info.description}</p>
<p>The document itself: <a href="/openapi.json">openapi.json</a> (OpenAPI ${document.openapi})</p></header>
<nav aria-label="Operations"><ul>${operations.map(
    ({ path, method, operation }) =>
      html`<li><a href="#${anchor(method, path)}"><code>${method.toUpperCase()} ${path}</code></a> ${operation.summary}</li>`,
  )}</ul></nav>
<main>${operations.map(({ path, method, operation }) => section(path, method, operation))}
<h2 id="schemas">Schemas</h2>${schemas.map(
    ([name, schema]) =>
      html`<h3 id="schema-${name}">${name}</h3><pre tabindex="0">${JSON.stringify(schema, null, 2)}</pre>`,
  )}</main>
</body>
</html>`;
}

function section(path: string, method: string, operation: Operation) {
  const { summary, description, parameters = [], requestBody, responses = {} } = operation;
  return html`<section aria-labelledby="${anchor(method, path)}">
<h2 id="${anchor(method, path)}"><code>${method.toUpperCase()} ${path}</code></h2>
<p>${summary}.${description ? ` ${description}` : ""}${operation.security ? " Needs a key." : ""}</p>
${requestBody ? html`<p>Body: ${contentOf(requestBody.content)}</p>` : ""}
${
  parameters.length > 0
    ? html`<table><thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Meaning</th></tr></thead><tbody>${parameters.map(
        (parameter) =>
          html`<tr><td><code>${parameter.name}</code>${parameter.required ? "" : " (optional)"}</td><td>${parameter.in}</td><td>${parameter.description ?? parameter.schema?.description ?? ""}</td></tr>`,
      )}</tbody></table>`
    : ""
}
<table><thead><tr><th scope="col">Status</th><th scope="col">Meaning</th><th scope="col">Content</th></tr></thead><tbody>${Object.entries(
    responses,
  ).map(
    ([status, { description: meaning, content }]) =>
      html`<tr><td>${status}</td><td>${meaning}</td><td>${content ? contentOf(content) : ""}</td></tr>`,
  )}</tbody></table>
</section>`;
}

function contentOf(content: Content) {
  return Object.entries(content).map(([type, { schema }]) => {
    const name = /"\$ref":"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(schema ?? {}))?.[1];
    return html`<code>${type}</code>${name ? html` <a href="#schema-${name}">${name}</a>` : ""} `;
  });
}

function anchor(method: string, path: string): string {
  return `${method}-${path.replaceAll(/\W+/g, "-")}`;
}
