import { sql } from "kysely";
import { RegistryError } from "../../errors.ts";
import { isMigrated } from "../../store/migrations.ts";
import { respond, respondText } from "../respond.ts";
import { defineRoute, type Route } from "../route.ts";
import { NoParams, NoQuery } from "../schemas.ts";
import type { Services } from "../services.ts";
import { problems } from "./responses.ts";

const TEXT = { "text/plain": { schema: { type: "string" as const } } };

/** The routes for whoever keeps the registry running. */
export function operationRoutes({ store: { db }, metrics, ending }: Services): Route[] {
  const shared = { method: "get", params: NoParams, query: NoQuery } as const;
  return [
    defineRoute({
      ...shared,
      path: "/healthz",
      operation: {
        operationId: "isAlive",
        summary: "Say that the process runs",
        responses: { "200": { description: "It runs.", content: TEXT }, ...problems() },
      },
      handle: async () => respondText("ok\n"),
    }),
    defineRoute({
      ...shared,
      path: "/readyz",
      operation: {
        operationId: "isReady",
        summary: "Say whether requests can be answered",
        responses: { "200": { description: "They can.", content: TEXT }, ...problems() },
      },
      handle: async () => {
        if (ending.aborted) throw new RegistryError("UNAVAILABLE", "the registry is ending");
        try {
          await sql`select 1`.execute(db);
          if (await isMigrated(db)) return respondText("ok\n");
        } catch (cause) {
          throw new RegistryError("UNAVAILABLE", "the database cannot be used", { cause });
        }
        throw new RegistryError("UNAVAILABLE", "the database has to be migrated: agentprint-registry migrate");
      },
    }),
    defineRoute({
      ...shared,
      path: "/metrics",
      operation: {
        operationId: "readMetrics",
        summary: "Read what the registry counts, for Prometheus",
        responses: { "200": { description: "The metrics of this instance.", content: TEXT }, ...problems() },
      },
      handle: async () =>
        respond(await metrics.registry.metrics(), 200, { "content-type": metrics.registry.contentType }),
    }),
  ];
}
