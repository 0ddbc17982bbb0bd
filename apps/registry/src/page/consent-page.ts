import {
  type CapabilityManifest,
  capabilityEntries,
  type JudgedManifestDiff,
  REVIEW_CARD,
  type ScopeConsent,
  type Sensitivity,
  scopeLabel,
  toolDescription,
} from "@agentprint/manifest";
import type { Consent } from "@agentprint/registry-api/answers";
import { html } from "hono/html";
import { agentPage, type Html, layout, type PageRequest, shown } from "./layout.ts";
import { TEXTS } from "./texts.ts";

/** The kinds of changes that no user notices. */
const UNNOTICED = new Set([
  "agent_version_changed",
  "timeout_changed",
  "tools_reordered",
  "permission_scopes_reordered",
]);

/**
 * Returns the page with the consent card: the questions for a user who accepted a version or has not accepted any, and
 * the changes for that user.
 */
export function consentPage(
  request: PageRequest,
  consent: Consent,
  present: CapabilityManifest,
  diff: JudgedManifestDiff | undefined,
): Html {
  const { agent_id, accepted, present: version, review, scopes } = consent;
  const texts = TEXTS[request.language];
  const changes = diff ? [...diff.breaking, ...diff.unclassified, ...diff.nonBreaking] : [];
  const felt = changes.filter(({ kind }) => !UNNOTICED.has(kind));
  return layout(
    request,
    `${agent_id}: ${texts.consent}`,
    html`<p><a href="${agentPage(request, agent_id)}">${shown(agent_id)}</a> · ${texts.isPresent(version)}</p>
<form method="get" action="/pages/agents/${agent_id}/consent"><div><label for="accepted">${texts.acceptedVersion}</label><input id="accepted" name="accepted" type="number" min="1" max="${version}" placeholder="–" value="${accepted ?? ""}"></div><input type="hidden" name="lang" value="${request.language}"><button>${texts.show}</button></form>
${accepted === null ? html`<p class="dim">${texts.newUser}</p>` : ""}
${review ? html`<p class="note"><strong>${REVIEW_CARD[request.language]}</strong> ${texts.review}</p>` : ""}
<section class="card" aria-labelledby="card"><h2 id="card">${shown(texts.consentTitle(agent_id))}</h2>
${scopes.length === 0 ? html`<p>${texts.noScopes}</p>` : html`<ul class="plain">${scopes.map((scope) => scopeItem(request, scope, present, accepted !== null))}</ul>`}
${accepted !== null && scopes.some(isLowered) ? html`<p class="note">${texts.counts}</p>` : ""}
${accepted !== null && !scopes.some(({ asked_anew }) => asked_anew) ? html`<p>${texts.nothingAnew}</p>` : ""}${entriesOf(request, present)}</section>
${
  felt.length === 0
    ? ""
    : html`<section><h2>${texts.changesFor}</h2><ul>${felt.map(
        ({ message, weakens_consent }) =>
          html`<li>${shown(message[request.language])}${weakens_consent ? html` <span class="badge odd" title="${texts.weakensLong}">${texts.weakens}</span>` : ""}</li>`,
      )}</ul><p><a href="${agentPage(request, agent_id, "/diff", { from: accepted ?? version, to: version })}">${texts.diff}</a></p></section>`
}`,
  );
}

/** Returns whether the sensitivity that the user accepted applies because the manifest now declares a lower one. */
function isLowered({ accepted_sensitivity, sensitivity, declared_sensitivity }: ScopeConsent): boolean {
  return accepted_sensitivity === sensitivity && declared_sensitivity !== sensitivity;
}

/** Returns the controls that a client shows for the agent. */
function entriesOf({ language }: PageRequest, manifest: CapabilityManifest): Html | string {
  const labels = capabilityEntries(manifest, language).map(({ label }) => label);
  return labels.length === 0 ? "" : html`<p class="dim">${TEXTS[language].entries}: ${labels.join(" · ")}</p>`;
}

const TONES: Readonly<Record<Sensitivity, string>> = { low: "good", medium: "odd", high: "bad" };

function scopeItem(
  { language }: PageRequest,
  scope: ScopeConsent,
  { tools: declared }: CapabilityManifest,
  hasAccepted: boolean,
): Html {
  const { id, sensitivity, accepted_sensitivity, declared_sensitivity, ask, asked_anew } = scope;
  const tools = declared.filter(({ permission_scope }) => permission_scope === id);
  const texts = TEXTS[language];
  return html`<li class="card"><div class="row"><h3>${shown(scopeLabel(scope, language))}</h3><span class="badge ${TONES[sensitivity]}">${texts.sensitivity[sensitivity]}</span>${
    accepted_sensitivity !== null && accepted_sensitivity !== sensitivity
      ? html`<span class="badge odd">${texts.wasAccepted[accepted_sensitivity]}</span>`
      : ""
  }${declared_sensitivity !== sensitivity ? html`<span class="badge odd">${texts.declaredAs[declared_sensitivity]}</span>` : ""}${hasAccepted && asked_anew ? html`<span class="badge bad">${texts.anew}</span>` : ""}</div>
<p>${ask === "never" && !hasAccepted ? texts.askNewUser : texts.ask[ask]}</p>
<p class="dim"><code>${shown(id)}</code>${tools.length > 0 ? html` · ${texts.neededBy}:` : ""}</p>${
    tools.length > 0
      ? html`<ul class="dim">${tools.map((tool) => html`<li><code>${shown(tool.name)}</code> ${shown(toolDescription(tool))}</li>`)}</ul>`
      : ""
  }</li>`;
}
