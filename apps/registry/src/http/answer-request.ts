import type { Hold } from "@agentprint/http-bounds";
import type { Context } from "hono";
import type { Settle } from "../load/budget.ts";
import { Deadline } from "../load/deadline.ts";
import { type Limits, roomTaken } from "./limits.ts";
import { outgoingOf } from "./outgoing.ts";
import { errorPage, isPage } from "./page-request.ts";
import { problemResponse, toRegistryError } from "./problem.ts";
import { bytesOf } from "./respond.ts";
import type { Answer, AnsweredRoute, Env } from "./route.ts";
import type { Services } from "./services.ts";

/** The route's name in metrics for a request whose path matches no route. */
export const NO_ROUTE: AnsweredRoute = { path: "none", isKeyed: false, cost: 1 };
/** The route that has no limit, because its answer is cheap and is needed most when all other requests are refused. */
export const ALIVE = "/healthz";
/** The other operators' routes, which have their own limits. */
const OPERATIONS: ReadonlySet<string> = new Set(["/readyz", "/metrics"]);
/** The maximum length of a method as a metrics label, in UTF-16 units. */
const MAX_METHOD = 8;

/**
 * Wraps the handler of every route: limits requests, sets a deadline, turns errors into answers, and writes metrics and
 * the log. It is not a Hono middleware, because a middleware chain takes longer than everything else in a short answer.
 */
export function createAnswer({ metrics, log, store }: Services, limits: Limits): Answer {
  const onError = (error: unknown, context: Context<Env>): Response | Promise<Response> => {
    const known = toRegistryError(error, (one) => store.trail.errorOf(one));
    if (known.status >= 500) log.error({ err: known.cause ?? known, code: known.code }, known.message);
    // Traces show the error.
    context.error = known;
    return isPage(context.req.path) ? errorPage(context, known) : problemResponse(known);
  };
  const run = async (
    context: Context<Env>,
    { path, isKeyed, cost }: AnsweredRoute,
    handle: () => Promise<Response>,
  ) => {
    if (path === ALIVE) return withDeadline(context, handle);
    // A request with a key counts towards the key's limit, so that others at its address cannot block it.
    const settle = isKeyed ? undefined : await count(context, path, cost);
    let bytes = 0;
    try {
      const giveBack = limits.takeRequest();
      // The slot is released when the work ends, which may be after the answer.
      const work = (): Promise<Response> => handle().finally(giveBack);
      const hold = holdOf(context, giveBack);
      const response = await withDeadline(context, work);
      bytes = bytesOf(response);
      if (isKeyed) limits.chargeBytes(context, bytes);
      if (!hold.resize(bytes)) throw roomTaken();
      return response;
    } finally {
      settle?.(bytes);
    }
  };
  const count = (context: Context<Env>, path: string, cost: number): Promise<Settle> =>
    OPERATIONS.has(path) ? limits.countOperation(context) : limits.countRequest(context, cost);
  /** Reserves memory for the answer, and frees it when the answer's last byte has left the process. */
  const holdOf = (context: Context<Env>, onNone: () => void): Hold => {
    try {
      const hold = limits.takeRoom();
      context.set("hold", hold);
      outgoingOf(context)?.once("close", hold.free);
      return hold;
    } catch (error) {
      onNone();
      throw error;
    }
  };
  // SQLite reads in this thread, so there is nothing to wait for.
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
