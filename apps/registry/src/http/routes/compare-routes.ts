import { ConsentSchema, DiffSchema, HistorySchema } from "@agentprint/registry-client/answers";
import { readConsent } from "../../consent/read-consent.ts";
import { readDiff } from "../../diff/read-diff.ts";
import { RegistryError } from "../../errors.ts";
import { readAgent } from "../../store/read.ts";
import { originOf } from "../../trail/checkpoints.ts";
import { newestCheckpoint, readHistory } from "../../trail/history.ts";
import { ProofTrees } from "../../trail/proof-trees.ts";
import { diffAnswer } from "../answers.ts";
import { respondJson, respondText } from "../respond.ts";
import { defineRoute, type Route } from "../route.ts";
import { AgentParams, ConsentQuery, DiffQuery, HistoryPageQuery, NoQuery } from "../schemas.ts";
import type { Services } from "../services.ts";
import { jsonAnswer, problems } from "./responses.ts";

const MAX_HISTORY_PAGE = 20;

/** The routes that compare versions, and that show the history of an agent. */
export function compareRoutes(services: Services): Route[] {
  const { db } = services.store;
  const { signing } = services;
  const trees = new ProofTrees();
  return [
    defineRoute({
      method: "get",
      path: "/agents/{agent_id}/diff",
      params: AgentParams,
      query: DiffQuery,
      operation: {
        operationId: "diffVersions",
        summary: "Compare two versions: every change with its verdict, and counterexamples for changed schemas",
        responses: { "200": jsonAnswer("The changes.", DiffSchema), ...problems(404) },
      },
      handle: async (_context, { agent_id }, { from, to }) => {
        const sides = { from: Number(from), to: Number(to) };
        return respondJson({
          agent_id,
          ...sides,
          ...diffAnswer(await readDiff(services, agent_id, sides.from, sides.to)),
        });
      },
    }),
    defineRoute({
      method: "get",
      path: "/agents/{agent_id}/consent",
      params: AgentParams,
      query: ConsentQuery,
      operation: {
        operationId: "readConsent",
        summary: "Say what a user who accepted a version must be asked now",
        responses: {
          "200": jsonAnswer("Each permission, and when the user is asked for it.", ConsentSchema),
          ...problems(404),
        },
      },
      handle: async (_context, { agent_id }, { accepted }) =>
        respondJson(await readConsent(services, agent_id, Number(accepted))),
    }),
    defineRoute({
      method: "get",
      path: "/agents/{agent_id}/history",
      params: AgentParams,
      query: HistoryPageQuery,
      operation: {
        operationId: "readHistory",
        summary: "Read the records of an agent's versions, with inclusion proofs that verify offline",
        responses: { "200": jsonAnswer("A page of records.", HistorySchema), ...problems(404) },
      },
      handle: async (_context, { agent_id }, { after, limit }) => {
        const { version } = await readAgent(services.store, agent_id);
        const history = await readHistory(db, trees, agent_id, Number(after ?? 0), Number(limit ?? MAX_HISTORY_PAGE));
        const last = history.entries.at(-1)?.version ?? version;
        return respondJson({
          agent_id,
          origin: originOf(signing, agent_id),
          verifier_key: signing.verifierKey,
          ...history,
          next: last < version ? last : null,
        });
      },
    }),
    defineRoute({
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
        const checkpoint = await newestCheckpoint(db, agent_id);
        if (!checkpoint) throw new RegistryError("NO_CHECKPOINT", "no checkpoint of this agent was signed yet");
        return respondText(checkpoint.note);
      },
    }),
  ];
}
