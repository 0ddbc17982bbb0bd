import type { ZodOpenApiResponsesObject } from "zod-openapi";
import { readConsent } from "../../consent/read-consent.ts";
import { readDiff } from "../../diff/read-diff.ts";
import { type TimelineVersion, timelinePage } from "../../page/agent-page.ts";
import { agentsPage } from "../../page/agents-page.ts";
import { consentPage } from "../../page/consent-page.ts";
import { diffPage } from "../../page/diff-page.ts";
import { draftPage } from "../../page/draft-page.ts";
import { historyPage } from "../../page/history-page.ts";
import { manifestPage } from "../../page/manifest-page.ts";
import { type PageScript, pageScript, scriptPath } from "../../page/page-script.ts";
import { whatChanged } from "../../page/what-changed.ts";
import {
  type ListedVersion,
  listAgents,
  listNotable,
  listVersions,
  readAgent,
  readManifestBodies,
  readVersion,
} from "../../store/read.ts";
import { pageAnswer, pageRequestOf } from "../page-request.ts";
import { respond } from "../respond.ts";
import { defineRoute, type Route } from "../route.ts";
import {
  AgentParams,
  AgentsPageQuery,
  ConsentPageQuery,
  DiffPageQuery,
  LanguageQuery,
  NoParams,
  NoQuery,
  TimelineQuery,
} from "../schemas.ts";
import type { Services } from "../services.ts";
import { COMPARISON_COST } from "./compare-routes.ts";
import { problems } from "./responses.ts";

const AGENTS_ON_A_PAGE = 100;
/** The number of versions on a page, which reads each version's manifest and compares it with the previous one. */
const VERSIONS_ON_A_PAGE = 20;
const NO_LIMIT = 2 ** 31 - 1;
const HTML = { "text/html": { schema: { type: "string" as const } } };

/** Returns the pages for people. */
export function pageRoutes(services: Services): Route[] {
  const shown = [
    showAgentsRoute,
    showVersionsRoute,
    showManifestRoute,
    showDiffRoute,
    showConsentRoute,
    showHistoryRoute,
    showDraftRoute,
  ].map((define) => define(services));
  return [
    ...shown,
    readScriptRoute("verify-history", "readVerifyScript", "Read the script that verifies a history in a browser"),
    readScriptRoute("check-draft", "readDraftScript", "Read the script that checks a manifest in a browser"),
  ];
}

function showAgentsRoute(services: Services): Route {
  return defineRoute({
    method: "get",
    path: "/",
    params: NoParams,
    query: AgentsPageQuery,
    operation: { operationId: "showAgents", summary: "Show the agents as a web page", responses: pages() },
    handle: async (context, _params, { after = "" }) => {
      const rows = await listAgents(services.store.db, after, AGENTS_ON_A_PAGE + 1);
      const page = rows.slice(0, AGENTS_ON_A_PAGE);
      const next = rows.length > page.length ? page.at(-1)?.id : undefined;
      return pageAnswer(agentsPage(pageRequestOf(context), page, await listNotable(services.store.db, page), next));
    },
  });
}

function showVersionsRoute(services: Services): Route {
  return defineRoute({
    method: "get",
    path: "/pages/agents/{agent_id}",
    cost: COMPARISON_COST,
    params: AgentParams,
    query: TimelineQuery,
    operation: {
      operationId: "showVersions",
      summary: "Show an agent's versions as a web page",
      responses: pages(404),
    },
    handle: async (context, { agent_id }, { before }) => {
      await readAgent(services.store, agent_id);
      const list = (last: number, limit: number) =>
        listVersions(services.store.db, agent_id, { from: { before: last }, limit });
      const { rows, more } = await list(Number(before ?? NO_LIMIT), VERSIONS_ON_A_PAGE);
      const next = more ? rows.at(-1)?.version : undefined;
      // The oldest version on the page is compared with the one before it, which is on the next page.
      const behind = next === undefined ? [] : (await list(next, 1)).rows;
      const versions = await compareEach(services, agent_id, [...rows, ...behind]);
      return pageAnswer(timelinePage(pageRequestOf(context), agent_id, versions.slice(0, rows.length), next));
    },
  });
}

/** Compares each version with the next one in the list, which is the version before it. */
async function compareEach(
  { store, manifests }: Services,
  agentId: string,
  rows: readonly ListedVersion[],
): Promise<TimelineVersion[]> {
  const numbers = rows.map(({ version }) => version);
  const bodies = await readManifestBodies(store.db, agentId, numbers);
  const read = (version: number) => {
    const row = bodies.get(version);
    return row && manifests.read(row);
  };
  return rows.map((row, index) => {
    const manifest = read(row.version);
    const before = rows[index + 1];
    const earlier = before && read(before.version);
    return {
      ...row,
      agentVersion: manifest?.agent_version ?? "",
      since: before && earlier && manifest && { version: before.version, changes: whatChanged(earlier, manifest) },
    };
  });
}

function showManifestRoute(services: Services): Route {
  return defineRoute({
    method: "get",
    path: "/pages/agents/{agent_id}/manifest",
    params: AgentParams,
    query: LanguageQuery,
    operation: {
      operationId: "showManifest",
      summary: "Show an agent's current manifest as a web page",
      responses: pages(404),
    },
    handle: async (context, { agent_id }) => {
      const { version } = await readAgent(services.store, agent_id);
      const manifest = services.manifests.read(await readVersion(services.store, agent_id, version));
      return pageAnswer(manifestPage(pageRequestOf(context), agent_id, version, manifest));
    },
  });
}

function showDiffRoute(services: Services): Route {
  return defineRoute({
    method: "get",
    path: "/pages/agents/{agent_id}/diff",
    cost: COMPARISON_COST,
    params: AgentParams,
    query: DiffPageQuery,
    operation: {
      operationId: "showDiff",
      summary: "Show the changes between two versions as a web page",
      responses: pages(404),
    },
    handle: async (context, { agent_id }, query) => {
      const { version } = await readAgent(services.store, agent_id);
      const sides = { from: Number(query.from), to: Number(query.to) };
      const diff = await readDiff(services, agent_id, sides.from, sides.to, context.get("deadline"));
      return pageAnswer(diffPage(pageRequestOf(context), agent_id, sides, version, diff));
    },
  });
}

function showConsentRoute(services: Services): Route {
  return defineRoute({
    method: "get",
    path: "/pages/agents/{agent_id}/consent",
    cost: COMPARISON_COST,
    params: AgentParams,
    query: ConsentPageQuery,
    operation: {
      operationId: "showConsent",
      summary: "Show an agent's consent card as a web page",
      responses: pages(404),
    },
    handle: async (context, { agent_id }, { accepted: text = "" }) => {
      const accepted = text === "" ? undefined : Number(text);
      const consent = await readConsent(services, agent_id, accepted);
      const { present } = consent;
      const diff =
        accepted === undefined
          ? undefined
          : await readDiff(services, agent_id, accepted, present, context.get("deadline"));
      const row = await readVersion(services.store, agent_id, present);
      const manifest = services.manifests.read(row);
      return pageAnswer(consentPage(pageRequestOf(context), consent, manifest, diff));
    },
  });
}

function showHistoryRoute(services: Services): Route {
  return defineRoute({
    method: "get",
    path: "/pages/agents/{agent_id}/history",
    params: AgentParams,
    query: LanguageQuery,
    operation: {
      operationId: "showHistory",
      summary: "Show an agent's history as a web page that verifies it in the browser",
      responses: pages(404),
    },
    handle: async (context, { agent_id }) => {
      await readAgent(services.store, agent_id);
      return pageAnswer(historyPage(pageRequestOf(context), agent_id, services.signing.verifierKey));
    },
  });
}

function showDraftRoute(services: Services): Route {
  return defineRoute({
    method: "get",
    path: "/pages/agents/{agent_id}/draft",
    params: AgentParams,
    query: LanguageQuery,
    operation: {
      operationId: "showDraft",
      summary: "Show the form in which people check a manifest before they publish it",
      responses: pages(404),
    },
    handle: async (context, { agent_id }) => {
      await readAgent(services.store, agent_id);
      return pageAnswer(draftPage(pageRequestOf(context), agent_id));
    },
  });
}

function readScriptRoute(name: PageScript, operationId: string, summary: string): Route {
  return defineRoute({
    method: "get",
    path: scriptPath(name),
    params: NoParams,
    query: NoQuery,
    operation: {
      operationId,
      summary,
      responses: {
        "200": { description: "The script.", content: { "text/javascript": { schema: { type: "string" } } } },
        ...problems(),
      },
    },
    handle: async () => respond(await pageScript(name), 200, { "content-type": "text/javascript; charset=utf-8" }),
  });
}

/** Describes a page and its errors, which are pages, too. */
function pages(...statuses: readonly number[]): ZodOpenApiResponsesObject {
  const errors = Object.entries(problems(...statuses)).map(([status, { description }]) => [
    status,
    { description, content: HTML },
  ]);
  return { "200": { description: "The page.", content: HTML }, ...Object.fromEntries(errors) };
}
