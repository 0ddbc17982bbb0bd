import type { JudgedManifestDiff } from "@agentprint/manifest";
import { html } from "hono/html";
import { changeList } from "./changes.ts";
import { agentPage, type Html, layout, type PageRequest, shown } from "./layout.ts";
import { TEXTS } from "./texts.ts";

/** The page that compares two versions. */
export function diffPage(
  request: PageRequest,
  agentId: string,
  sides: { readonly from: number; readonly to: number },
  present: number,
  { breaking, unclassified, nonBreaking }: JudgedManifestDiff,
): Html {
  const texts = TEXTS[request.language];
  const groups = [
    [texts.breakingTitle, breaking],
    [texts.unclassified, unclassified],
    [texts.nonBreaking, nonBreaking],
  ] as const;
  const field = (name: "from" | "to"): Html =>
    html`<div><label for="${name}">${texts[name]}</label><input id="${name}" name="${name}" type="number" min="1" max="${present}" required value="${sides[name]}"></div>`;
  return layout(
    request,
    `${agentId}: ${texts.diff}`,
    html`<p><a href="${agentPage(request, agentId)}">${shown(agentId)}</a></p>
<form method="get" action="/pages/agents/${agentId}/diff">${field("from")}${field("to")}<input type="hidden" name="lang" value="${request.language}"><button>${texts.show}</button></form>
${groups.every(([, changes]) => changes.length === 0) ? html`<p>${texts.same}</p>` : ""}
${groups.map(([title, changes]) => (changes.length === 0 ? "" : html`<section><h2>${title} (${changes.length})</h2>${changeList(request, changes)}</section>`))}`,
  );
}
