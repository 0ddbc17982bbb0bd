import { Hono } from "hono";
import { cors } from "hono/cors";
import { RegistryError } from "../errors.ts";
import { createLimits } from "./limits.ts";
import { errorPage, isPage } from "./page-request.ts";
import { problemResponse, toRegistryError } from "./problem.ts";
import { addRoutes, type Env, type Route } from "./route.ts";
import { compareRoutes } from "./routes/compare-routes.ts";
import { docsRoutes } from "./routes/docs-routes.ts";
import { eventRoutes } from "./routes/event-routes.ts";
import { operationRoutes } from "./routes/operation-routes.ts";
import { pageRoutes } from "./routes/page-routes.ts";
import { publishRoutes } from "./routes/publish-routes.ts";
import { readRoutes } from "./routes/read-routes.ts";
import type { Services } from "./services.ts";

/** The headers of every answer that has no others of these names. */
const HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-cache",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
};

/** The registry as an app: a request in, a response out. */
export function createApp(services: Services): Hono<Env> {
  const { config, metrics, log, tracing } = services;
  const limits = createLimits(config);
  const app = new Hono<Env>();
  if (tracing) app.use(tracing.middleware);
  app.use(async (context, next) => {
    const started = performance.now();
    context.set("route", "none");
    // Headers that are set later make Hono build the response anew.
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
    await next();
    const seconds = (performance.now() - started) / 1000;
    const { method } = context.req;
    const { status, headers } = context.res;
    const route = context.get("route");
    metrics.requests.observe({ method: method.slice(0, 8), route, status: String(status) }, seconds);
    log.info({ method, route, status, ms: Math.round(seconds * 1000), key_id: context.get("keyId") }, "request");
    // A response that was made without the context has none of them.
    for (const [name, value] of Object.entries(HEADERS)) if (!headers.has(name)) context.header(name, value);
  });
  if (config.cors_origins.length > 0) app.use(cors({ origin: [...config.cors_origins], exposeHeaders: ["ETag"] }));
  app.use(async (context, next) => {
    if (!["/healthz", "/readyz", "/metrics"].includes(context.req.path)) await limits.countRequest(context);
    await next();
  });
  addRoutes(app, routesOf(services, limits));
  app.notFound((context) => {
    const error = new RegistryError("ROUTE_NOT_FOUND", "nothing is at this path");
    return isPage(context.req.path) ? errorPage(context, error) : problemResponse(error);
  });
  app.onError((error, context) => {
    const known = toRegistryError(error);
    if (known.status >= 500) log.error({ err: known.cause ?? known, code: known.code }, known.message);
    return isPage(context.req.path) ? errorPage(context, known) : problemResponse(known);
  });
  return app;
}

/** Every route of the registry. */
function routesOf(services: Services, limits: ReturnType<typeof createLimits>): Route[] {
  const routes = [
    ...publishRoutes(services, limits),
    ...readRoutes(services),
    ...compareRoutes(services),
    ...eventRoutes(services),
    ...operationRoutes(services),
    ...pageRoutes(services),
  ];
  return [...routes, ...docsRoutes(routes)];
}
