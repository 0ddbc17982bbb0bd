import type { JudgedChange, JudgedManifestDiff } from "@agentprint/manifest";
import { html } from "hono/html";
import { changeList } from "./changes.ts";
import { agentPage, type Html, layout, type PageRequest, shown } from "./layout.ts";
import { TEXTS } from "./texts.ts";

/** Returns the page that compares two versions. */
export function diffPage(
  request: PageRequest,
  agentId: string,
  sides: { readonly from: number; readonly to: number },
  present: number,
  { breaking, unclassified, nonBreaking }: JudgedManifestDiff,
): Html {
  const texts = TEXTS[request.language];
  const [weakened, others, harmless] = [
    [...unclassified, ...nonBreaking].filter(weakens),
    unclassified.filter((change) => !weakens(change)),
    nonBreaking.filter((change) => !weakens(change)),
  ];
  const groups = [
    [texts.breakingTitle, breaking],
    [texts.weakensTitle, weakened],
    [texts.unclassified, others],
    [texts.nonBreaking, harmless],
  ] as const;
  const isUnannounced = breaking.length > 0 && !nonBreaking.some(({ kind }) => kind === "agent_version_changed");
  const field = (name: "from" | "to"): Html =>
    html`<div><label for="${name}">${texts[name]}</label><input id="${name}" name="${name}" type="number" min="1" max="${present}" required value="${sides[name]}"></div>`;
  return layout(
    request,
    `${agentId}: ${texts.diff}`,
    html`<p><a href="${agentPage(request, agentId)}">${shown(agentId)}</a></p>
<form method="get" action="/pages/agents/${agentId}/diff">${field("from")}${field("to")}<input type="hidden" name="lang" value="${request.language}"><button>${texts.show}</button></form>
${isUnannounced ? html`<p class="note">${texts.unannounced}</p>` : ""}
${groups.every(([, changes]) => changes.length === 0) ? html`<p>${texts.same}</p>` : ""}
${groups.map(([title, changes]) => (changes.length === 0 ? "" : html`<section><h2>${title} (${changes.length})</h2>${changeList(request, changes)}</section>`))}`,
  );
}

function weakens({ weakens_consent }: JudgedChange): boolean {
  return weakens_consent;
}
