import { ConsentSchema, DiffSchema, HistorySchema } from "@agentprint/registry-client/answers";
import { consentSince } from "../../consent/consent-since.ts";
import type { HashedManifest } from "../../diff/judge.ts";
import { RegistryError } from "../../errors.ts";
import { hasBreakingSince, readAgent, readVersion, scopesOfAll, type VersionWithManifest } from "../../store/read.ts";
import { originOf } from "../../trail/checkpoints.ts";
import { newestCheckpoint, readHistory } from "../../trail/history.ts";
import { diffAnswer } from "../answers.ts";
import { defineRoute, type Route } from "../route.ts";
import { AgentParams, ConsentQuery, DiffQuery, HistoryPageQuery, NoQuery } from "../schemas.ts";
import type { Services } from "../services.ts";
import { jsonAnswer, problems } from "./responses.ts";

const MAX_HISTORY_PAGE = 20;

/** The routes that compare versions, and that show the history of an agent. */
export function compareRoutes({ store: { db }, manifests, judge, signing }: Services): Route[] {
  const withManifest = (row: VersionWithManifest): HashedManifest => ({
    hash: row.hash,
    manifest: manifests.read(row),
  });
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
      handle: async (context, { agent_id }, { from, to }) => {
        const before = await readVersion(db, agent_id, Number(from));
        const after = await readVersion(db, agent_id, Number(to));
        const diff = await judge.judge(withManifest(before), withManifest(after));
        return context.json({ agent_id, from: before.version, to: after.version, ...diffAnswer(diff) });
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
      handle: async (context, { agent_id }, query) => {
        const accepted = await readVersion(db, agent_id, Number(query.accepted));
        const { version } = await readAgent(db, agent_id);
        const present = await readVersion(db, agent_id, version);
        const kept = await scopesOfAll(db, agent_id, accepted.version, version);
        return context.json({
          agent_id,
          accepted: accepted.version,
          present: version,
          review: await hasBreakingSince(db, agent_id, accepted.version, version),
          scopes: consentSince(manifests.read(accepted), manifests.read(present), kept),
        });
      },
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
      handle: async (context, { agent_id }, { after, limit }) => {
        const { version } = await readAgent(db, agent_id);
        const history = await readHistory(db, agent_id, Number(after ?? 0), Number(limit ?? MAX_HISTORY_PAGE));
        const last = history.entries.at(-1)?.version ?? version;
        return context.json({
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
      handle: async (context, { agent_id }) => {
        await readAgent(db, agent_id);
        const checkpoint = await newestCheckpoint(db, agent_id);
        if (!checkpoint) throw new RegistryError("NO_CHECKPOINT", "no checkpoint of this agent was signed yet");
        return context.text(checkpoint.note);
      },
    }),
  ];
}
