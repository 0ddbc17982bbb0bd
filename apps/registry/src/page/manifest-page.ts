import { escapeJsonText } from "@agentprint/canonical-json";
import { CAPABILITY_FLAGS, type CapabilityManifest, scopeLabel, toolDescription } from "@agentprint/manifest";
import { html } from "hono/html";
import { agentPage, type Html, layout, type PageRequest, shown } from "./layout.ts";
import { TEXTS } from "./texts.ts";

/**
 * Returns the page that shows the current manifest: its tools with collapsed schemas, its permissions, its
 * capabilities, and its JSON.
 */
export function manifestPage(
  request: PageRequest,
  agentId: string,
  version: number,
  manifest: CapabilityManifest,
): Html {
  const { language } = request;
  const texts = TEXTS[language];
  const { agent_version, tools, permission_scopes, capability_flags } = manifest;
  return layout(
    request,
    `${agentId}: ${texts.manifest}`,
    html`<p><a href="${agentPage(request, agentId)}">${shown(agentId)}</a> · ${texts.isPresent(version)} · <code>${shown(agent_version)}</code></p>
<section><h2>${texts.tools} (${tools.length})</h2><ul class="plain">${tools.map(
      (tool) =>
        html`<li class="card"><h3><code>${shown(tool.name)}</code></h3><p>${shown(toolDescription(tool))}</p>
<p class="dim">${texts.needs} <code>${shown(tool.permission_scope)}</code> · ${texts.timeout(tool.timeout_ms ?? 10_000)}</p>
<details><summary>${texts.inputSchema}</summary>${jsonOf(tool.input_schema)}</details></li>`,
    )}</ul></section>
<section><h2>${texts.scopes} (${permission_scopes.length})</h2><ul class="plain">${permission_scopes.map(
      (scope) =>
        html`<li class="card"><div class="row"><h3>${shown(scopeLabel(scope, language))}</h3><span class="badge">${texts.sensitivity[scope.sensitivity]}</span></div><p class="dim"><code>${shown(scope.id)}</code></p></li>`,
    )}</ul></section>
<section><h2>${texts.flags}</h2><ul>${CAPABILITY_FLAGS.map(
      (flag) => html`<li><code>${flag}</code>: ${capability_flags[flag] === true ? texts.yes : texts.no}</li>`,
    )}</ul></section>
<section><h2>JSON</h2><details><summary>${texts.wholeManifest}</summary>${jsonOf(manifest)}</details>
<p><a href="/agents/${agentId}/versions/${version}">API</a></p></section>`,
  );
}

/** Returns a JSON value as HTML; invisible characters are shown as JSON escapes. */
function jsonOf(value: unknown): Html {
  return html`<pre tabindex="0">${escapeJsonText(JSON.stringify(value, null, 2))}</pre>`;
}
