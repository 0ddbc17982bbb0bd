import { html } from "hono/html";
import type { NotableVersions } from "../store/read.ts";
import type { AgentRow } from "../store/schema.ts";
import { agentPage, type Html, layout, linkTo, type PageRequest, shown } from "./layout.ts";
import { TEXTS } from "./texts.ts";

/** Returns the page that lists agents. The next page contains the agents after the id `next`. */
export function agentsPage(
  request: PageRequest,
  agents: readonly AgentRow[],
  notable: ReadonlyMap<string, NotableVersions>,
  next: string | undefined,
): Html {
  const texts = TEXTS[request.language];
  const table = html`<table class="stack"><thead><tr><th scope="col">${texts.agent}</th><th scope="col">${texts.version}</th><th scope="col">${texts.changed}</th><th scope="col">${texts.notable}</th></tr></thead>
<tbody>${agents.map(
    ({ id, version, updated_at }) =>
      html`<tr><td><a href="${agentPage(request, id)}">${shown(id)}</a></td><td>${texts.version} ${version}</td><td><time datetime="${updated_at}">${timeOf(updated_at)}</time></td><td>${notableOf(request, id, notable.get(id))}</td></tr>`,
  )}</tbody></table>`;
  return layout(
    request,
    texts.agents,
    html`${agents.length === 0 ? html`<p>${texts.noAgents}</p>` : table}
${next === undefined ? "" : html`<p><a href="${linkTo(request, "/", { after: next })}">${texts.more}</a></p>`}`,
  );
}

/** Returns the latest breaking version and the latest weakening version as HTML, the newer one first. */
function notableOf(request: PageRequest, agentId: string, { broken, weakened }: Partial<NotableVersions> = {}): Html {
  const texts = TEXTS[request.language];
  const found = [
    ...(broken ? [{ ...broken, text: texts.lastBroken(broken.version) }] : []),
    ...(weakened ? [{ ...weakened, text: texts.lastWeakened(weakened.version) }] : []),
  ].sort((a, b) => b.version - a.version);
  if (found.length === 0) return html`<span class="dim">–</span>`;
  return html`${found.map(
    ({ version, created_at, text }) =>
      html`<div><a href="${agentPage(request, agentId, "", { before: version + 1 })}">${text}</a> <time class="dim" datetime="${created_at}">${timeOf(created_at)}</time></div>`,
  )}`;
}

/** Returns a time in UTC in a form for people. */
export function timeOf(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}
