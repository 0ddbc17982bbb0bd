import type { Context } from "hono";
import { Deadline } from "../load/deadline.ts";
import type { Limits } from "./limits.ts";
import { errorPage, isPage } from "./page-request.ts";
import { problemResponse, toRegistryError } from "./problem.ts";
import { bytesOf } from "./respond.ts";
import type { Answer, AnsweredRoute, Env } from "./route.ts";
import type { Services } from "./services.ts";

/** The route of a request whose path leads to nothing. */
export const NO_ROUTE: AnsweredRoute = { path: "none", isKeyed: false, cost: 1 };
/** The routes for who keeps the registry running; they are not limited. */
const UNLIMITED: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);
/** UTF-16 units of a method, as a label of metrics. */
const MAX_METHOD = 8;

/**
 * Wraps the handler of every route: requests are limited and have a deadline, an error becomes an answer, and metrics and log are
 * written. It is no middleware of Hono, because a chain of these takes longer than all else of a short answer.
 */
export function createAnswer({ metrics, log, store }: Services, limits: Limits): Answer {
  const onError = (error: unknown, context: Context<Env>): Response | Promise<Response> => {
    const known = toRegistryError(error, (one) => store.trail.errorOf(one));
    if (known.status >= 500) log.error({ err: known.cause ?? known, code: known.code }, known.message);
    // Traces show it.
    context.error = known;
    return isPage(context.req.path) ? errorPage(context, known) : problemResponse(known);
  };
  const run = async (
    context: Context<Env>,
    { path, isKeyed, cost }: AnsweredRoute,
    handle: () => Promise<Response>,
  ) => {
    if (UNLIMITED.has(path)) return withDeadline(context, handle);
    // A request with a key counts for the key, so that nobody else at its address keeps it from being answered.
    if (!isKeyed) await limits.countRequest(context, cost);
    const giveBack = limits.takeRequest();
    // The place is given back when the work ends, which may be after the answer.
    const work = (): Promise<Response> => handle().finally(giveBack);
    const response = await withDeadline(context, work);
    limits.chargeBytes(context, bytesOf(response));
    return response;
  };
  // SQLite reads in this thread, so that there is nothing to wait for.
  const withDeadline = (context: Context<Env>, work: () => Promise<Response>): Promise<Response> => {
    if (store.dialect === "sqlite" && context.req.method === "GET") return work();
    const deadline = new Deadline();
    context.set("deadline", deadline);
    return deadline.race(work);
  };
  return async (context, route, handle) => {
    const started = performance.now();
    let response: Response;
    try {
      response = await run(context, route, handle);
    } catch (error) {
      response = await onError(error, context);
    }
    const seconds = (performance.now() - started) / 1000;
    const { method } = context.req;
    const { status } = response;
    const { path } = route;
    metrics.requests.observe({ method: method.slice(0, MAX_METHOD), route: path, status: String(status) }, seconds);
    log.info({ method, route: path, status, ms: Math.round(seconds * 1000), key_id: context.get("keyId") }, "request");
    return response;
  };
}
