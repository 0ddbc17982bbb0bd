import { Hono } from "hono";
import { cors } from "hono/cors";
import { RegistryError } from "../errors.ts";
import { createAnswer, NO_ROUTE } from "./answer-request.ts";
import { createLimits, type Limits } from "./limits.ts";
import { addRoutes, type Env, type Route } from "./route.ts";
import { compareRoutes } from "./routes/compare-routes.ts";
import { docsRoutes } from "./routes/docs-routes.ts";
import { eventRoutes } from "./routes/event-routes.ts";
import { operationRoutes } from "./routes/operation-routes.ts";
import { pageRoutes } from "./routes/page-routes.ts";
import { publishRoutes } from "./routes/publish-routes.ts";
import { readRoutes } from "./routes/read-routes.ts";
import type { Services } from "./services.ts";

/** Creates the registry as an app that turns a request into a response. */
export function createApp(services: Services): Hono<Env> {
  const { config, tracing } = services;
  const limits = createLimits(config);
  const answer = createAnswer(services, limits);
  const app = new Hono<Env>();
  if (tracing) app.use(tracing.middleware);
  if (config.cors_origins.length > 0) app.use(cors({ origin: [...config.cors_origins], exposeHeaders: ["ETag"] }));
  addRoutes(app, routesOf(services, limits), answer);
  app.notFound((context) =>
    answer(context, NO_ROUTE, async () => {
      throw new RegistryError("ROUTE_NOT_FOUND", "there is nothing at this path");
    }),
  );
  return app;
}

/** Returns every route of the registry. */
function routesOf(services: Services, limits: Limits): Route[] {
  const routes = [
    ...publishRoutes(services, limits),
    ...readRoutes(services),
    ...compareRoutes(services),
    ...eventRoutes(services, limits),
    ...operationRoutes(services),
    ...pageRoutes(services),
  ];
  return [...routes, ...docsRoutes(routes)];
}
