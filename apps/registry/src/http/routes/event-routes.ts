import { beginStream } from "../../events/begin-stream.ts";
import { openVersionStream } from "../../events/version-stream.ts";
import type { Limits } from "../limits.ts";
import { outgoingOf } from "../outgoing.ts";
import { respond } from "../respond.ts";
import { defineRoute, type Route } from "../route.ts";
import { EventsQuery, NoParams } from "../schemas.ts";
import type { Services } from "../services.ts";
import { problems } from "./responses.ts";

const STREAM_HEADERS = { "content-type": "text/event-stream" };

/** Returns the route on which clients receive new versions. */
export function eventRoutes(services: Services, limits: Limits): Route[] {
  const { store, metrics, hub, claims, ending } = services;
  return [
    defineRoute({
      method: "get",
      path: "/events",
      params: NoParams,
      query: EventsQuery,
      operation: {
        operationId: "hearEvents",
        summary: "Receive every new version of agents, as server-sent events",
        description:
          "A stream begins with the event `start`, which contains the version of each agent. Events are `breaking` and `version`, with the " +
          "version as data. `Last-Event-ID` continues a stream; if it cannot be continued, the event `reset` tells the client " +
          "to read the agent again.",
        responses: {
          "200": { description: "The events.", content: { "text/event-stream": { schema: { type: "string" } } } },
          ...problems(),
        },
      },
      handle: async (context, _params, { agent }) => {
        const agents = [...new Set([agent].flat())];
        if (context.req.method === "HEAD") return respond(null, 200, STREAM_HEADERS);
        const giveBack = limits.takeStream(context);
        const start = await beginStream(store.db, agents, context.req.header("last-event-id")).catch(
          (error: unknown) => {
            giveBack();
            throw error;
          },
        );
        void claims.report(start.claims);
        metrics.streams.inc();
        const stream = openVersionStream(hub, start, {
          ending,
          onEnd: (isDropped) => {
            giveBack();
            metrics.streams.dec();
            if (!isDropped) return;
            metrics.droppedStreams.inc();
            outgoingOf(context)?.destroy();
          },
          onRead: (bytes) => limits.chargeBytes(context, bytes),
          hold: (bytes) => context.get("hold")?.resize(bytes) ?? true,
        });
        return respond(stream, 200, STREAM_HEADERS);
      },
    }),
  ];
}
