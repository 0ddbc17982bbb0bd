import type { SSEStreamingApi } from "hono/streaming";
import { streamSSE } from "hono/streaming";
import { beginStream, type Cursor, formatCursor, newVersions, type StreamEvent } from "../../events/version-events.ts";
import type { Limits } from "../limits.ts";
import { prepareHeaders } from "../respond.ts";
import { defineRoute, type Route } from "../route.ts";
import { EventsQuery, NoParams } from "../schemas.ts";
import type { Services } from "../services.ts";
import { problems } from "./responses.ts";

/** How often a stream looks for versions that nobody told it of, and shows that it is alive. */
const HEARTBEAT_MS = 15_000;

/** The route on which clients hear of new versions. */
export function eventRoutes(services: Services, limits: Limits): Route[] {
  const { store, metrics } = services;
  return [
    defineRoute({
      method: "get",
      path: "/events",
      params: NoParams,
      query: EventsQuery,
      operation: {
        operationId: "hearEvents",
        summary: "Hear of every new version of agents, as server-sent events",
        description:
          "A stream begins with the event `start`, which has the version of each agent. Events are `breaking` and `version`, with the " +
          "version as data. `Last-Event-ID` continues a stream; where it cannot be continued, the event `reset` tells the client " +
          "to read the agent anew.",
        responses: {
          "200": { description: "The events.", content: { "text/event-stream": { schema: { type: "string" } } } },
          ...problems(),
        },
      },
      handle: async (context, _params, { agent }) => {
        const agents = [...new Set([agent].flat())];
        const giveBack = limits.takeStream(context);
        const { cursor, first } = await beginStream(store.db, agents, context.req.header("last-event-id")).catch(
          (error: unknown) => {
            giveBack();
            throw error;
          },
        );
        prepareHeaders(context);
        metrics.streams.inc();
        return streamSSE(context, async (stream) => {
          try {
            await tell(services, stream, agents, cursor, first);
          } finally {
            giveBack();
            metrics.streams.dec();
          }
        });
      },
    }),
  ];
}

async function tell(
  { store, notifier, ending }: Services,
  stream: SSEStreamingApi,
  agents: readonly string[],
  cursor: Cursor,
  first: readonly StreamEvent[],
): Promise<void> {
  const news = new Set(agents);
  let wake = (): void => {};
  const stopListening = notifier.listen((agent) => {
    for (const one of agents) if (agent === undefined || agent === one) news.add(one);
    wake();
  });
  const end = (): void => wake();
  stream.onAbort(end);
  ending.addEventListener("abort", end);
  const write = ({ event, data }: StreamEvent): Promise<void> =>
    stream.writeSSE({ event, data: JSON.stringify(data), id: formatCursor(cursor) });
  try {
    for (const event of first) await write(event);
    while (!stream.aborted && !ending.aborted) {
      const [agent] = news;
      if (agent !== undefined) {
        news.delete(agent);
        for await (const event of newVersions(store.db, agent, cursor)) {
          if (stream.aborted) return;
          await write(event);
        }
        continue;
      }
      const isWoken = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), HEARTBEAT_MS);
        wake = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
      wake = () => {};
      if (isWoken) continue;
      for (const one of agents) news.add(one);
      await stream.write(": alive\n\n");
    }
  } finally {
    stopListening();
    ending.removeEventListener("abort", end);
  }
}
