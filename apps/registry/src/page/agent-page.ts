import type { Change, ManifestWarning } from "@agentprint/manifest";
import { html } from "hono/html";
import type { ListedVersion } from "../store/read.ts";
import { timeOf } from "./agents-page.ts";
import { agentPage, type Html, layout, type PageRequest, shown } from "./layout.ts";
import { TEXTS } from "./texts.ts";

/** The page of an agent: its versions as a timeline, newest first. `next` is the version before which it goes on. */
export function timelinePage(
  request: PageRequest,
  agentId: string,
  versions: readonly ListedVersion[],
  next: number | undefined,
): Html {
  const texts = TEXTS[request.language];
  return layout(
    request,
    agentId,
    html`<p class="row"><a href="${agentPage(request, agentId, "/consent")}">${texts.consentNew}</a> <a href="${agentPage(request, agentId, "/history")}">${texts.history}</a></p>
<h2>${texts.versions}</h2>
<ol class="timeline" reversed>${versions.map((row) => versionItem(request, row))}</ol>
${next === undefined ? "" : html`<p><a href="${agentPage(request, agentId, "", { before: next })}">${texts.more}</a></p>`}`,
  );
}

function versionItem(request: PageRequest, row: ListedVersion): Html {
  const { agent_id, version, hash, key_id, created_at, weakens_consent } = row;
  const texts = TEXTS[request.language];
  const changes: readonly Change[] = JSON.parse(row.breaking_changes);
  const warnings: readonly ManifestWarning[] = JSON.parse(row.warnings);
  const verdict =
    version === 1
      ? html`<span class="badge good">${texts.first}</span>`
      : changes.length > 0
        ? html`<span class="badge bad">${texts.breakingCount(changes.length)}</span>`
        : html`<span class="badge good">${texts.nothingBreaks}</span>`;
  return html`<li class="card${changes.length > 0 || weakens_consent === 1 ? " bad" : ""}">
<div class="row"><h3>${texts.version} ${version}</h3>${verdict}${weakens_consent === 1 ? html`<span class="badge odd" title="${texts.weakensLong}">${texts.weakens}</span>` : ""}<time class="dim" datetime="${created_at}">${timeOf(created_at)}</time></div>
${changes.length > 0 ? html`<ul>${changes.map(({ message }) => html`<li>${shown(message[request.language])}</li>`)}</ul>` : ""}
${warnings.length > 0 ? html`<div class="note"><strong>${texts.warnings}</strong><ul>${warnings.map(({ message }) => html`<li lang="en">${shown(message)}</li>`)}</ul></div>` : ""}
<p class="dim">${texts.hash} <code>${hash}</code> · ${texts.key} <code>${key_id}</code></p>
<div class="row">${version > 1 ? html`<a href="${agentPage(request, agent_id, "/diff", { from: version - 1, to: version })}">${texts.compare}</a>` : ""}<a href="${agentPage(request, agent_id, "/consent", { accepted: version })}">${texts.consentSince}</a></div>
</li>`;
}
