import { html } from "hono/html";
import { agentPage, type Html, layout, type PageRequest, shown } from "./layout.ts";
import { scriptPath } from "./page-script.ts";
import { TEXTS } from "./texts.ts";

/** Returns the page on which the browser verifies an agent's history. */
export function historyPage(request: PageRequest, agentId: string, verifierKey: string): Html {
  const texts = TEXTS[request.language];
  return layout(
    request,
    `${agentId}: ${texts.verifyTitle}`,
    html`<p><a href="${agentPage(request, agentId)}">${shown(agentId)}</a></p>
<p>${texts.verifyIntro}</p>
<noscript><p class="note">${texts.verifyScript}</p></noscript>
<form id="verify" data-agent="${agentId}">
<div class="wide"><label for="key">${texts.verifierKey}</label><input id="key" required spellcheck="false" autocomplete="off" value="${verifierKey}" aria-describedby="key-help"><p class="dim" id="key-help">${texts.verifierHelp}</p></div>
<div class="wide"><label for="kept">${texts.keptCheckpoint}</label><textarea id="kept" rows="5" spellcheck="false" aria-describedby="kept-help"></textarea><p class="dim" id="kept-help">${texts.keptHelp}</p></div>
<button>${texts.verify}</button></form>
<div id="result" role="status"></div>
<table><thead><tr><th scope="col">${texts.version}</th><th scope="col">${texts.record}</th><th scope="col">${texts.result}</th></tr></thead><tbody id="records"></tbody></table>
<script type="module" src="${scriptPath("verify-history")}"></script>`,
  );
}
