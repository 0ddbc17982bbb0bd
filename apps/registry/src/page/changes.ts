import { escapeJsonText, printable } from "@agentprint/canonical-json";
import type { JudgedChange } from "@agentprint/manifest";
import { type HunkLine, jsonHunks } from "@agentprint/report/hunks";
import { html } from "hono/html";
import { type Html, type PageRequest, shown } from "./layout.ts";
import { TEXTS } from "./texts.ts";

/** The most UTF-16 units of a value that a page shows. */
const MAX_VALUE = 4000;
const MAX_POINTER = 500;

/** Returns a list of changes, each with its place, its values, and its effect on calls. */
export function changeList(request: PageRequest, changes: readonly JudgedChange[]): Html {
  return html`<ul class="plain">${changes.map((change) => changeItem(request, change))}</ul>`;
}

function changeItem({ language }: PageRequest, change: JudgedChange): Html {
  const { kind, message, path, weakens_consent, compatibility } = change;
  const texts = TEXTS[language];
  return html`<li class="card"><div class="row"><h3>${shown(message[language])}</h3>${weakens_consent ? html`<span class="badge odd" title="${texts.weakensLong}">${texts.weakens}</span>` : ""}</div>
<p class="dim"><code>manifest/${kind}</code> · <code>${printable(path, MAX_POINTER)}</code></p>
${compatibility ? compatibilityOf(texts, compatibility) : ""}
${sidesOf(texts, change)}</li>`;
}

/** Returns the lines that differ with both sides next to each other; if there is only one side, returns all of it. */
function sidesOf(texts: (typeof TEXTS)["en"], { before, after }: JudgedChange): Html {
  const names = [texts.before, texts.after];
  if (before !== undefined && after !== undefined) {
    const hunks = jsonHunks(before, after);
    return html`${hunks.map(
      ({ skipped, before, after }) =>
        html`${skipped > 0 ? html`<p class="dim">${texts.sameLines(skipped)}</p>` : ""}<dl class="sides">${[
          before,
          after,
        ].map(
          (lines, side) =>
            html`<div><dt>${names[side]}</dt><dd><pre tabindex="0">${lines.map((line) => lineOf(line, side === 0 ? "del" : "ins"))}</pre></dd></div>`,
        )}</dl>`,
    )}`;
  }
  const given = [before, after].map((value, side) =>
    value === undefined ? "" : html`<dt>${names[side]}</dt><dd>${jsonOf(value)}</dd>`,
  );
  return html`<dl>${given}</dl>`;
}

function lineOf({ text, isChanged }: HunkLine, element: "del" | "ins"): Html {
  if (!isChanged) return html`  ${text}\n`;
  return element === "del" ? html`<del>${text}</del>\n` : html`<ins>${text}</ins>\n`;
}

function compatibilityOf(
  texts: (typeof TEXTS)["en"],
  { verdict, counterexample }: NonNullable<JudgedChange["compatibility"]>,
): Html {
  const says = { compatible: texts.compatible, breaking: texts.incompatible, unknown: texts.unknown }[verdict];
  if (!counterexample) return html`<p>${says}</p>`;
  const { acceptedBy, value } = counterexample;
  return html`<p>${says}</p><p>${acceptedBy === "before" ? texts.counterexampleBefore : texts.counterexampleAfter}</p>${jsonOf(value)}`;
}

/** Returns a JSON value as HTML; invisible characters are shown as JSON escapes. */
function jsonOf(value: unknown): Html {
  const text = escapeJsonText(JSON.stringify(value, null, 2));
  return html`<pre tabindex="0">${text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text}</pre>`;
}
