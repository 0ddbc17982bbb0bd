import { html } from "hono/html";
import { agentPage, type Html, layout, type PageRequest, shown } from "./layout.ts";
import { scriptPath } from "./page-script.ts";
import { TEXTS } from "./texts.ts";

/** Returns the form in which a key holder pastes a manifest and sees its problems and changes before publishing it. */
export function draftPage(request: PageRequest, agentId: string): Html {
  const texts = TEXTS[request.language];
  return layout(
    request,
    `${agentId}: ${texts.draft}`,
    html`<p><a href="${agentPage(request, agentId)}">${shown(agentId)}</a></p>
<p>${texts.draftIntro}</p>
<noscript><p class="note">${texts.draftScript}</p></noscript>
<form id="draft" data-agent="${agentId}">
<div class="wide"><label for="key">${texts.draftKey}</label><input id="key" type="password" required spellcheck="false" autocomplete="off" aria-describedby="key-help"><p class="dim" id="key-help">${texts.draftKeyHelp}</p></div>
<div class="wide"><label for="manifest">${texts.draftManifest}</label><textarea id="manifest" rows="16" required spellcheck="false"></textarea></div>
<button>${texts.draftCheck}</button></form>
<div id="result" role="status"></div>
<button id="publish" type="button" hidden>${texts.draftPublish}</button>
<script type="module" src="${scriptPath("check-draft")}"></script>`,
  );
}
