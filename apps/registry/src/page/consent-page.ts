import type { JudgedManifestDiff } from "@agentprint/manifest";
import type { ScopeConsent } from "@agentprint/registry-client/answers";
import { html } from "hono/html";
import type { readConsent } from "../consent/read-consent.ts";
import { agentPage, type Html, layout, type PageRequest, shown } from "./layout.ts";
import { labelOf, TEXTS } from "./texts.ts";

/** Kinds of changes that no user notices. */
const UNNOTICED = new Set([
  "agent_version_changed",
  "timeout_changed",
  "tools_reordered",
  "permission_scopes_reordered",
]);

/** The page with the consent card: what a user is asked who accepted a version, or none yet, and what changes for them. */
export function consentPage(
  request: PageRequest,
  consent: Awaited<ReturnType<typeof readConsent>>,
  diff: JudgedManifestDiff | undefined,
): Html {
  const { agent_id, accepted, present, review, scopes } = consent;
  const texts = TEXTS[request.language];
  const changes = diff ? [...diff.breaking, ...diff.unclassified, ...diff.nonBreaking] : [];
  const felt = changes.filter(({ kind }) => !UNNOTICED.has(kind));
  return layout(
    request,
    `${agent_id}: ${texts.consent}`,
    html`<p><a href="${agentPage(request, agent_id)}">${shown(agent_id)}</a> · ${texts.isPresent(present)}</p>
<form method="get" action="/pages/agents/${agent_id}/consent"><div><label for="accepted">${texts.acceptedVersion}</label><input id="accepted" name="accepted" type="number" min="1" max="${present}" placeholder="–" value="${accepted ?? ""}"></div><input type="hidden" name="lang" value="${request.language}"><button>${texts.show}</button></form>
${accepted === undefined ? html`<p class="dim">${texts.newUser}</p>` : ""}
${review ? html`<p class="note">${texts.review}</p>` : ""}
<section class="card" aria-labelledby="card"><h2 id="card">${shown(texts.consentTitle(agent_id))}</h2>
${scopes.length === 0 ? html`<p>${texts.noScopes}</p>` : html`<ul class="plain">${scopes.map((scope) => scopeItem(request, scope, accepted !== undefined))}</ul>`}
${accepted !== undefined && !scopes.some(({ asked_anew }) => asked_anew) ? html`<p>${texts.nothingAnew}</p>` : ""}</section>
${
  felt.length === 0
    ? ""
    : html`<section><h2>${texts.changesFor}</h2><ul>${felt.map(
        ({ message, weakens_consent }) =>
          html`<li>${shown(message[request.language])}${weakens_consent ? html` <span class="badge mid" title="${texts.weakensLong}">${texts.weakens}</span>` : ""}</li>`,
      )}</ul><p><a href="${agentPage(request, agent_id, "/diff", { from: accepted, to: present })}">${texts.diff}</a></p></section>`
}`,
  );
}

function scopeItem({ language }: PageRequest, scope: ScopeConsent, hasAccepted: boolean): Html {
  const { id, sensitivity, accepted_sensitivity, ask, asked_anew, tools } = scope;
  const texts = TEXTS[language];
  return html`<li class="card"><div class="row"><h3>${shown(labelOf(language, scope))}</h3><span class="badge ${sensitivity}">${texts.sensitivity[sensitivity]}</span>${
    accepted_sensitivity !== null && accepted_sensitivity !== sensitivity
      ? html`<span class="badge mid">${texts.wasAccepted[accepted_sensitivity]}</span>`
      : ""
  }${hasAccepted && asked_anew ? html`<span class="badge bad">${texts.anew}</span>` : ""}</div>
<p>${texts.ask[ask]}</p>
<p class="dim"><code>${shown(id)}</code>${tools.length > 0 ? html` · ${texts.neededBy}: ${tools.map((tool, index) => html`${index > 0 ? ", " : ""}<code>${shown(tool)}</code>`)}` : ""}</p></li>`;
}
