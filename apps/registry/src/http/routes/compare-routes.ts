import { ConsentSchema, DiffSchema, HistorySchema, SignerSchema } from "@agentprint/registry-api/answers";
import { readConsent } from "../../consent/read-consent.ts";
import { readDiff } from "../../diff/read-diff.ts";
import { RegistryError } from "../../errors.ts";
import { listSuccessions } from "../../signer/rotate-signer.ts";
import { readAgent } from "../../store/read.ts";
import { originOf } from "../../trail/checkpoints.ts";
import { newestCheckpoint, readHistory } from "../../trail/history.ts";
import { diffAnswer } from "../answers.ts";
import { respondJson, respondPage, respondText } from "../respond.ts";
import { defineRoute, type Route } from "../route.ts";
import { AgentParams, ConsentQuery, DiffQuery, HistoryPageQuery, NoParams, NoQuery } from "../schemas.ts";
import type { Services } from "../services.ts";
import { jsonAnswer, pageAnswer, problems } from "./responses.ts";

const MAX_HISTORY_PAGE = 20;
/** The cost of a comparison, which may take two seconds in the thread that compares schemas. */
export const COMPARISON_COST = 5;

/** Returns the routes that compare versions and show an agent's history. */
export function compareRoutes(services: Services): Route[] {
  return [diffVersionsRoute, readConsentRoute, readHistoryRoute, readSignerRoute, readCheckpointRoute].map((define) =>
    define(services),
  );
}

function diffVersionsRoute(services: Services): Route {
  return defineRoute({
    method: "get",
    path: "/agents/{agent_id}/diff",
    cost: COMPARISON_COST,
    params: AgentParams,
    query: DiffQuery,
    operation: {
      operationId: "diffVersions",
      summary: "Compare two versions and return every change with its verdict, and counterexamples for changed schemas",
      responses: { "200": jsonAnswer("The changes.", DiffSchema), ...problems(404) },
    },
    handle: async (context, { agent_id }, { from, to }) => {
      const sides = { from: Number(from), to: Number(to) };
      const diff = await readDiff(services, agent_id, sides.from, sides.to, context.get("deadline"));
      return respondJson({ agent_id, ...sides, ...diffAnswer(diff) });
    },
  });
}

function readConsentRoute(services: Services): Route {
  return defineRoute({
    method: "get",
    path: "/agents/{agent_id}/consent",
    params: AgentParams,
    query: ConsentQuery,
    operation: {
      operationId: "readConsent",
      summary: "Return the questions for a user who accepted a version, or who is about to add the agent",
      responses: {
        "200": jsonAnswer("Each permission, and when the user is asked for it.", ConsentSchema),
        ...problems(404),
      },
    },
    handle: async (_context, { agent_id }, { accepted }) =>
      respondJson(await readConsent(services, agent_id, accepted === undefined ? undefined : Number(accepted))),
  });
}

function readHistoryRoute(services: Services): Route {
  return defineRoute({
    method: "get",
    path: "/agents/{agent_id}/history",
    params: AgentParams,
    query: HistoryPageQuery,
    operation: {
      operationId: "readHistory",
      summary: "Read the records of an agent's versions, with inclusion proofs that verify offline",
      responses: {
        "200": pageAnswer("A page of at most 20 records and 256 KiB.", HistorySchema),
        ...problems(404),
      },
    },
    handle: async (context, { agent_id }, { after, limit }) => {
      const { version } = await readAgent(services.store, agent_id);
      const history = await readHistory(
        services.store.db,
        services.thread,
        agent_id,
        Number(after ?? 0),
        Number(limit ?? MAX_HISTORY_PAGE),
      );
      const last = history.entries.at(-1)?.version ?? version;
      return respondPage(context, {
        agent_id,
        origin: originOf(services.signing, agent_id),
        verifier_key: services.signing.verifierKey,
        ...history,
        next: last < version ? last : null,
      });
    },
  });
}

function readSignerRoute(services: Services): Route {
  return defineRoute({
    method: "get",
    path: "/signer",
    params: NoParams,
    query: NoQuery,
    operation: {
      operationId: "readSigner",
      summary: "Read the registry's public key, and the notes in which each earlier key signed its successor",
      responses: { "200": jsonAnswer("The key.", SignerSchema), ...problems() },
    },
    handle: async () => {
      const successions = await listSuccessions(services.store.db);
      return respondJson({
        verifier_key: services.signing.verifierKey,
        successions: successions.map(({ note }) => note),
      });
    },
  });
}

function readCheckpointRoute(services: Services): Route {
  return defineRoute({
    method: "get",
    path: "/agents/{agent_id}/checkpoint",
    params: AgentParams,
    query: NoQuery,
    operation: {
      operationId: "readCheckpoint",
      summary: "Read the newest signed checkpoint of an agent's history, to keep it elsewhere",
      responses: {
        "200": { description: "A C2SP checkpoint.", content: { "text/plain": { schema: { type: "string" } } } },
        ...problems(404),
      },
    },
    handle: async (_context, { agent_id }) => {
      await readAgent(services.store, agent_id);
      const checkpoint = await newestCheckpoint(services.store.db, agent_id);
      if (!checkpoint) throw new RegistryError("NO_CHECKPOINT", "no checkpoint of this agent has been signed yet");
      return respondText(checkpoint.note);
    },
  });
}
