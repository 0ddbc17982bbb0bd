import { DOCS_POLICY, docsPage } from "../docs-page.ts";
import { openApiOf } from "../openapi.ts";
import { respond } from "../respond.ts";
import { defineRoute, type Route } from "../route.ts";
import { NoParams, NoQuery } from "../schemas.ts";
import { problems } from "./responses.ts";

/** Returns the routes that describe all routes, including themselves. */
export function docsRoutes(described: readonly Route[]): Route[] {
  const shared = { method: "get", params: NoParams, query: NoQuery } as const;
  const routes: Route[] = [
    defineRoute({
      ...shared,
      path: "/openapi.json",
      operation: {
        operationId: "readOpenApi",
        summary: "Read this description as an OpenAPI document",
        responses: {
          "200": { description: "The document.", content: { "application/json": { schema: { type: "object" } } } },
          ...problems(),
        },
      },
      handle: async () => respond(text, 200, { "content-type": "application/json" }),
    }),
    defineRoute({
      ...shared,
      path: "/docs",
      operation: {
        operationId: "readDocs",
        summary: "Read this description as a page",
        responses: {
          "200": { description: "The page.", content: { "text/html": { schema: { type: "string" } } } },
          ...problems(),
        },
      },
      handle: async () =>
        respond(await page, 200, {
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": DOCS_POLICY,
        }),
    }),
  ];
  const document = openApiOf([...described, ...routes]);
  const text = JSON.stringify(document);
  const page = docsPage(document);
  return routes;
}
