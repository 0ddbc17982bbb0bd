import type { Context } from "hono";
import type { Limits } from "./limits.ts";
import { errorPage, isPage } from "./page-request.ts";
import { problemResponse, toRegistryError } from "./problem.ts";
import type { Answer, Env } from "./route.ts";
import type { Services } from "./services.ts";

/** The route of a request whose path leads to nothing. */
export const NO_ROUTE = "none";
/** The routes for who keeps the registry running; they are not limited. */
const UNLIMITED: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);
/** UTF-16 units of a method, as a label of metrics. */
const MAX_METHOD = 8;

/**
 * What stands around the handler of every route: requests are limited, an error becomes an answer, and metrics and log are told.
 * It is no middleware of Hono, because a chain of these takes longer than all else of a short answer.
 */
export function createAnswer({ metrics, log }: Services, limits: Limits): Answer {
  const onError = (error: unknown, context: Context<Env>): Response | Promise<Response> => {
    const known = toRegistryError(error);
    if (known.status >= 500) log.error({ err: known.cause ?? known, code: known.code }, known.message);
    // Traces show it.
    context.error = known;
    return isPage(context.req.path) ? errorPage(context, known) : problemResponse(known);
  };
  return async (context, route, handle) => {
    const started = performance.now();
    let response: Response;
    try {
      if (!UNLIMITED.has(route)) await limits.countRequest(context);
      response = await handle();
    } catch (error) {
      response = await onError(error, context);
    }
    const seconds = (performance.now() - started) / 1000;
    const { method } = context.req;
    const { status } = response;
    metrics.requests.observe({ method: method.slice(0, MAX_METHOD), route, status: String(status) }, seconds);
    log.info({ method, route, status, ms: Math.round(seconds * 1000), key_id: context.get("keyId") }, "request");
    return response;
  };
}
