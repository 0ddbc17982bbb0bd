import type { Hold } from "@agentprint/http-bounds";
import type { Context, Hono } from "hono";
import type * as z from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import { RegistryError } from "../errors.ts";
import type { Deadline } from "../load/deadline.ts";

/** The variables that middleware passes to routes. */
export interface Env {
  Variables: {
    keyId: string | undefined;
    /** The database's time limit; `undefined` for a database that cannot hang. */
    deadline: Deadline | undefined;
    /** The memory that the answer takes; a stream changes the amount. */
    hold: Hold | undefined;
  };
}

/** A route: its method and path, its entry in the OpenAPI document, and its handler. */
export interface Route<Params extends z.ZodObject = z.ZodObject, Query extends z.ZodObject = z.ZodObject> {
  readonly method: "get" | "post" | "patch";
  /** The path in OpenAPI's notation: `/agents/{agent_id}`. */
  readonly path: string;
  readonly params: Params;
  readonly query: Query;
  /** The cost of a request, as a multiple of a short request's; 1 by default. */
  readonly cost?: number;
  readonly operation: Omit<ZodOpenApiOperationObject, "requestParams">;
  readonly handle: (context: Context<Env>, params: z.output<Params>, query: z.output<Query>) => Promise<Response>;
}

/** Defines a route whose handler is typed by the route's parameters. */
export function defineRoute<Params extends z.ZodObject, Query extends z.ZodObject>(route: Route<Params, Query>): Route {
  return route as unknown as Route;
}

/** The properties of a route that {@link Answer} needs. */
export interface AnsweredRoute {
  /** The path in OpenAPI's notation, for logs and metrics. */
  readonly path: string;
  /** Whether a request needs a key. */
  readonly isKeyed: boolean;
  readonly cost: number;
}

/** Answers a request with the result of `handle`. */
export type Answer = (
  context: Context<Env>,
  route: AnsweredRoute,
  handle: () => Promise<Response>,
) => Promise<Response>;

/** Adds routes to an app, one handler per path, and answers other methods on their paths with 405. */
export function addRoutes(app: Hono<Env>, routes: readonly Route[], answer: Answer): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const byMethod = new Map(
      routes.filter((route) => route.path === path).map((route) => [route.method.toUpperCase(), route]),
    );
    const get = byMethod.get("GET");
    if (get) byMethod.set("HEAD", get);
    const allow = [...byMethod.keys()].join(", ");
    const answered = new Map([...byMethod].map(([method, route]) => [method, answeredOf(route)]));
    const other: AnsweredRoute = { path, isKeyed: false, cost: 1 };
    app.all(honoPath(path), (context) =>
      answer(context, answered.get(context.req.method) ?? other, async () => {
        const route = byMethod.get(context.req.method);
        if (route) return route.handle(context, readParams(route.params, context), readQuery(route.query, context));
        throw new RegistryError("METHOD_NOT_ALLOWED", `expected one of ${allow}, received ${context.req.method}`, {
          headers: { allow },
        });
      }),
    );
  }
}

function answeredOf({ path, operation, cost = 1 }: Route): AnsweredRoute {
  return { path, isKeyed: operation.security !== undefined, cost };
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Reads a path's parameters; a path with malformed parameters is answered like an unknown path. */
function readParams<T>(schema: z.ZodType<T>, context: Context): T {
  const parsed = schema.safeParse(context.req.param());
  if (parsed.success) return parsed.data;
  throw new RegistryError("ROUTE_NOT_FOUND", `there is nothing at this path: ${describe(parsed.error.issues[0])}`);
}

function readQuery<T>(schema: z.ZodType<T>, context: Context): T {
  const values: Record<string, string | string[]> = Object.create(null);
  for (const [name, all] of Object.entries(context.req.queries()))
    values[name] = all.length === 1 ? String(all[0]) : all;
  const parsed = schema.safeParse({ ...values });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({
    code: "INVALID_QUERY",
    parameter: issue.code === "unrecognized_keys" ? String(issue.keys[0]) : String(issue.path[0] ?? ""),
    detail: describe(issue),
  }));
  throw new RegistryError("INVALID_QUERY", `query: ${issues[0]?.detail}`, { issues });
}

function describe(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return "";
  const place = issue.path.join("/");
  return place === "" ? issue.message : `${place}: ${issue.message}`;
}
