import { AgentPageSchema, AgentSchema, VersionPageSchema } from "@agentprint/registry-api/answers";
import { listAgents, listVersions, readAgent, readVersion } from "../../store/read.ts";
import { agentAnswer, agentItem, versionItem } from "../answers.ts";
import { isUnchanged, manifestTag, versionTag } from "../etag.ts";
import { respond, respondJson, respondPage, respondUnchanged } from "../respond.ts";
import { defineRoute, type Route } from "../route.ts";
import {
  AgentPageQuery,
  AgentParams,
  Manifest,
  NoParams,
  NoQuery,
  VersionAnswer,
  VersionPageQuery,
  VersionParams,
} from "../schemas.ts";
import type { Services } from "../services.ts";
import { jsonAnswer, NOT_MODIFIED, pageAnswer, problems } from "./responses.ts";

const MAX_PAGE = 100;

/** Returns the routes that read agents, manifests and versions. */
export function readRoutes(services: Services): Route[] {
  return [listAgentsRoute, readAgentRoute, readManifestRoute, listVersionsRoute, readVersionRoute].map((define) =>
    define(services),
  );
}

function listAgentsRoute(services: Services): Route {
  return defineRoute({
    method: "get",
    path: "/agents",
    params: NoParams,
    query: AgentPageQuery,
    operation: {
      operationId: "listAgents",
      summary: "List agents by id",
      responses: { "200": pageAnswer("A page of agents.", AgentPageSchema), ...problems() },
    },
    handle: async (context, _params, { after = "", limit }) => {
      const size = Number(limit ?? MAX_PAGE);
      const rows = await listAgents(services.store.db, after, size + 1);
      const page = rows.slice(0, size);
      const next = rows.length > size ? (page.at(-1)?.id ?? null) : null;
      return respondPage(context, { agents: page.map(agentItem), next });
    },
  });
}

function readAgentRoute(services: Services): Route {
  return defineRoute({
    method: "get",
    path: "/agents/{agent_id}",
    params: AgentParams,
    query: NoQuery,
    operation: {
      operationId: "readAgent",
      summary: "Read the current version of an agent, with the warnings about its manifest",
      responses: { "200": jsonAnswer("The agent.", AgentSchema, true), "304": NOT_MODIFIED, ...problems(404) },
    },
    handle: async (context, { agent_id }) => {
      const agent = await readAgent(services.store, agent_id);
      const tag = versionTag(agent);
      if (isUnchanged(context.req.header("if-none-match"), tag)) return respondUnchanged(tag);
      return respondJson(agentAnswer(agent, await readVersion(services.store, agent_id, agent.version)), 200, {
        etag: tag,
      });
    },
  });
}

function readManifestRoute(services: Services): Route {
  return defineRoute({
    method: "get",
    path: "/agents/{agent_id}/manifest",
    params: AgentParams,
    query: NoQuery,
    operation: {
      operationId: "readManifest",
      summary: "Read the current manifest of an agent as canonical JSON, whose SHA-256 is its hash and its ETag",
      responses: { "200": jsonAnswer("The manifest.", Manifest, true), "304": NOT_MODIFIED, ...problems(404) },
    },
    handle: async (context, { agent_id }) => {
      const { hash, version } = await readAgent(services.store, agent_id);
      const tag = manifestTag(hash);
      if (isUnchanged(context.req.header("if-none-match"), tag)) return respondUnchanged(tag);
      const { body } = await readVersion(services.store, agent_id, version);
      return respond(body, 200, { "content-type": "application/json", etag: tag });
    },
  });
}

function listVersionsRoute(services: Services): Route {
  return defineRoute({
    method: "get",
    path: "/agents/{agent_id}/versions",
    params: AgentParams,
    query: VersionPageQuery,
    operation: {
      operationId: "listVersions",
      summary: "List the versions of an agent, oldest first",
      responses: {
        "200": pageAnswer("A page of at most 100 versions and 256 KiB.", VersionPageSchema),
        ...problems(404),
      },
    },
    handle: async (context, { agent_id }, { after, limit }) => {
      await readAgent(services.store, agent_id);
      const size = Number(limit ?? MAX_PAGE);
      const { rows, more } = await listVersions(services.store.db, agent_id, {
        from: { after: Number(after ?? 0) },
        limit: size,
      });
      const next = more ? (rows.at(-1)?.version ?? null) : null;
      return respondPage(context, { versions: rows.map(versionItem), next });
    },
  });
}

function readVersionRoute(services: Services): Route {
  return defineRoute({
    method: "get",
    path: "/agents/{agent_id}/versions/{version}",
    params: VersionParams,
    query: NoQuery,
    operation: {
      operationId: "readVersion",
      summary: "Read one version of an agent, with its manifest",
      responses: { "200": jsonAnswer("The version.", VersionAnswer, true), "304": NOT_MODIFIED, ...problems(404) },
    },
    handle: async (context, { agent_id, version }) => {
      const row = await readVersion(services.store, agent_id, Number(version));
      const tag = versionTag(row);
      if (isUnchanged(context.req.header("if-none-match"), tag)) return respondUnchanged(tag);
      const answer = { ...versionItem(row), warnings: JSON.parse(row.warnings), manifest: JSON.parse(row.body) };
      return respondJson(answer, 200, { etag: tag });
    },
  });
}
