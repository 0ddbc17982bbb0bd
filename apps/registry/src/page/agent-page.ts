import { type ManifestWarning, warningText } from "@agentprint/manifest";
import { html } from "hono/html";
import type { ListedVersion } from "../store/read.ts";
import { timeOf } from "./agents-page.ts";
import { agentPage, type Html, layout, type PageRequest, shown } from "./layout.ts";
import { TEXTS } from "./texts.ts";
import { NOTEWORTHY, type Noteworthy, type WhatChanged } from "./what-changed.ts";

/** The most changes of one kind that are listed for a version; the comparison shows them all. */
const MAX_LISTED = 8;

/** The color of each kind of change. A version's dot has the color of its worst kind of change. */
const TONES: Readonly<Record<Noteworthy, "bad" | "odd" | "good">> = {
  breaks: "bad",
  weakens: "bad",
  asksMore: "odd",
  adds: "good",
  other: "good",
};

/** A version in a timeline. */
export interface TimelineVersion extends ListedVersion {
  readonly agentVersion: string;
  /** The previous version and the changes since then; absent for the first version. */
  readonly since?: { readonly version: number; readonly changes: WhatChanged } | undefined;
}

/**
 * Returns an agent's page, which shows its versions as a timeline, newest first. The next page contains the versions
 * before `next`.
 */
export function timelinePage(
  request: PageRequest,
  agentId: string,
  versions: readonly TimelineVersion[],
  next: number | undefined,
): Html {
  const texts = TEXTS[request.language];
  const links = [
    ["/manifest", texts.manifest],
    ["/consent", texts.consentNew],
    ["/history", texts.history],
    ["/draft", texts.draft],
  ] as const;
  return layout(
    request,
    agentId,
    html`<p class="row">${links.map(([rest, text]) => html`<a href="${agentPage(request, agentId, rest)}">${text}</a> `)}</p>
<h2>${texts.versions}</h2>
<ol class="timeline" reversed>${versions.map((version) => versionItem(request, version))}</ol>
${next === undefined ? "" : html`<p><a href="${agentPage(request, agentId, "", { before: next })}">${texts.more}</a></p>`}`,
  );
}

function versionItem(request: PageRequest, row: TimelineVersion): Html {
  const { agent_id, version, hash, key_id, created_at, is_given_back, agentVersion, since } = row;
  const { language } = request;
  const texts = TEXTS[language];
  const warnings: readonly ManifestWarning[] = JSON.parse(row.warnings);
  const kinds = since ? NOTEWORTHY.filter((kind) => since.changes[kind].length > 0) : [];
  const tone = kinds[0] === undefined ? "good" : TONES[kinds[0]];
  const badges = kinds.map(
    (kind) => html`<span class="badge ${TONES[kind]}">${texts.changed_[kind](since?.changes[kind].length ?? 0)}</span>`,
  );
  // A breaking change can weaken consent as well.
  if (row.weakens_consent === 1 && !kinds.includes("weakens")) {
    badges.push(html`<span class="badge bad" title="${texts.weakensLong}">${texts.weakens}</span>`);
  }
  const quiet = since ? texts.onlyNumber : texts.first;
  return html`<li class="card ${tone}">
<div class="row"><h3>${texts.version} ${version}</h3><code>${shown(agentVersion)}</code>${badges.length > 0 ? badges : html`<span class="badge good">${quiet}</span>`}${is_given_back === 1 ? html`<span class="badge odd" title="${texts.givenBackLong}">${texts.givenBack}</span>` : ""}<time class="dim" datetime="${created_at}">${timeOf(created_at)}</time></div>
${since && version - since.version > 1 ? html`<p class="note">${texts.lostBefore(since.version + 1, version - 1)}</p>` : ""}
${since ? kinds.map((kind) => changesOf(request, kind, since.changes)) : ""}
${warnings.length > 0 ? html`<div class="note"><strong>${texts.warnings}</strong><ul>${warnings.map((warning) => html`<li>${shown(warningText(warning, language))}</li>`)}</ul></div>` : ""}
<p class="dim">${texts.hash} <code>${hash}</code> · ${texts.key} <code>${key_id}</code></p>
<div class="row">${since ? html`<a href="${agentPage(request, agent_id, "/diff", { from: since.version, to: version })}">${texts.compare}</a>` : ""}<a href="${agentPage(request, agent_id, "/consent", { accepted: version })}">${texts.consentSince}</a></div>
</li>`;
}

function changesOf({ language }: PageRequest, kind: Noteworthy, changes: WhatChanged): Html {
  const texts = TEXTS[language];
  const listed = changes[kind].slice(0, MAX_LISTED);
  const more = changes[kind].length - listed.length;
  return html`<ul class="${TONES[kind]}-list">${listed.map(({ message }) => html`<li>${shown(message[language])}</li>`)}${more > 0 ? html`<li class="dim">${texts.moreChanges(more)}</li>` : ""}</ul>`;
}
