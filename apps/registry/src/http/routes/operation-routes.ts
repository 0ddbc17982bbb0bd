import { escapeText } from "@agentprint/canonical-json";
import { RegistryError } from "../../errors.ts";
import { isMigrated } from "../../store/migrations.ts";
import { WriteProbe } from "../../store/write-probe.ts";
import { ALIVE } from "../answer-request.ts";
import { checkSpelling } from "../check-spelling.ts";
import { respond, respondText } from "../respond.ts";
import { defineRoute, type Route } from "../route.ts";
import { NoParams, NoQuery } from "../schemas.ts";
import type { Services } from "../services.ts";
import { problems } from "./responses.ts";

const TEXT = { "text/plain": { schema: { type: "string" as const } } };

/** Returns the routes for operators. */
export function operationRoutes({ store, metrics, ending, signer, deliveries }: Services): Route[] {
  const { db } = store;
  const probe = new WriteProbe(store);
  /** Migrated tables stay migrated. */
  let isReady = false;
  const shared = { method: "get", params: NoParams, query: NoQuery } as const;
  return [
    defineRoute({
      ...shared,
      path: ALIVE,
      operation: {
        operationId: "isAlive",
        summary: "Report that the process runs",
        responses: { "200": { description: "It runs.", content: TEXT }, ...problems() },
      },
      handle: async () => respondText("ok\n"),
    }),
    defineRoute({
      ...shared,
      path: "/readyz",
      operation: {
        operationId: "isReady",
        summary: "Report whether requests can be answered, and what an operator should act on",
        responses: {
          "200": { description: "Requests can be answered: `ok`, and a line per problem to act on.", content: TEXT },
          ...problems(),
        },
      },
      handle: async () => {
        if (ending.aborted) throw new RegistryError("UNAVAILABLE", "the registry is ending");
        try {
          await db.selectFrom("agents").select("id").limit(1).execute();
          isReady ||= await isMigrated(db);
        } catch (cause) {
          throw new RegistryError("UNAVAILABLE", "the database cannot be used", { cause });
        }
        if (!isReady)
          throw new RegistryError("UNAVAILABLE", "the database must be migrated: agentprint-registry migrate");
        const refused = await probe.problem();
        const lines = [
          ...(refused === undefined ? [] : [`disk: changes are refused and nothing is stored: ${refused}`]),
          ...signer.problems().map((problem) => `checkpoints: ${problem}`),
          ...deliveries.problems().map((problem) => `webhooks: ${problem}`),
        ];
        return respondText(["ok", ...lines.map((line) => escapeText(line))].join("\n").concat("\n"));
      },
    }),
    defineRoute({
      ...shared,
      path: "/metrics",
      operation: {
        operationId: "readMetrics",
        summary: "Read the registry's metrics, for Prometheus",
        responses: { "200": { description: "This instance's metrics.", content: TEXT }, ...problems() },
      },
      handle: async (context) => {
        checkSpelling(context, "/metrics");
        return respond(await metrics.registry.metrics(), 200, { "content-type": metrics.registry.contentType });
      },
    }),
  ];
}
