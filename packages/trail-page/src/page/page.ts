import { createHash } from "node:crypto";
import { escapeText } from "@agentprint/canonical-json/text";
import { count, type JudgedReport } from "@agentprint/findings";
import { MARK } from "@agentprint/page-style";
import type { TasksReport } from "@agentprint/trail/chain";
import { SCRIPT } from "#page-script";
import type { Anchor } from "../anchors.ts";
import { elapsed, type Timeline } from "../timeline.ts";
import { compressText } from "./entry-blocks.ts";
import { FILTERS, type PageReport } from "./page-report.ts";
import { STYLE } from "./style.ts";

/** A run that was read, with its rows, its checkpoints, and the verification of its records. */
export interface ShownRun {
  readonly timeline: Pick<Timeline, "rows">;
  readonly anchors: readonly Anchor[];
  readonly chains: TasksReport;
}

/** The parts of a page. */
export interface PageParts {
  /** The input's name for display. */
  readonly name: string;
  readonly run: ShownRun;
  readonly report: JudgedReport;
  readonly blocks: readonly string[];
}

/** The maximum number of findings that the page lists. */
const MAX_FINDINGS = 100;

const OUTCOMES = { same: ["good", "✓"], drift: ["bad", "✗"], unknown: ["odd", "!"] } as const;

/** Returns a self-contained page that shows and verifies a run. */
export async function makePage({ name, run, report, blocks }: PageParts): Promise<string> {
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hashOf(SCRIPT)}'`,
    `style-src 'sha256-${hashOf(STYLE)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
  const own = await compressText(JSON.stringify(reportOf(run)));
  const [tone, mark] = OUTCOMES[report.outcome];
  const findings = report.findings
    .slice(0, MAX_FINDINGS)
    .map(({ place, message }) => `<li>${shown(`${place.subject}: ${message}`)}</li>`);
  const options = Object.entries(FILTERS).map(([value, { label }]) => `<option value="${value}">${label}</option>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Trail ${escapeHtml(escapeText(name))}</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#timeline">Skip to the timeline</a>
<header>
<h1>${MARK}Trail ${shown(name)}</h1>
<p class="dim">${factsOf(run).map(shown).join(" · ")}</p>
</header>
<main>
<section aria-labelledby="verification">
<h2 id="verification">Verification</h2>
<div class="cards">
<div class="card"><h3>The command, when it wrote this page</h3><p><span class="badge ${tone}">${mark}</span> ${shown(report.summary)}</p>
${findings.length === 0 ? "" : `<ul>${findings.join("")}</ul>`}</div>
<div class="card"><h3>This page, now</h3><p id="progress"><span id="progress-text">Verifying…</span> <progress id="done" max="1" value="0" aria-label="Verified records"></progress></p><div id="verdict" role="status"></div></div>
</div>
<noscript><p class="card">This page reads and verifies the run with its own script, which is turned off here.</p></noscript>
<ul id="heads" class="heads">${headsOf(run).join("")}</ul>
</section>
<section aria-labelledby="timeline">
<h2 id="timeline" tabindex="-1">Timeline</h2>
<form id="filter" role="search">
<div><label for="sort">Show</label><select id="sort">${options.join("")}</select></div>
<div class="wide"><label for="find">Find</label><input id="find" type="search" autocomplete="off" spellcheck="false"></div>
<div class="buttons"><button type="button" id="earlier">Earlier</button><button type="button" id="later">Later</button><button type="button" id="problem" hidden>Next problem</button></div>
</form>
<p id="position" class="dim" role="status"></p>
<ol id="rows"></ol>
</section>
</main>
<script type="text/plain" id="report">${own}</script>
${blocks.map((block) => `<script type="text/plain" class="block">${block}</script>`).join("\n")}
<script type="module">${SCRIPT}</script>
</body>
</html>
`;
}

function reportOf({ chains: { tasks, unassigned, length }, anchors }: ShownRun): PageReport {
  const chains = [...tasks, unassigned].map(({ taskId, length, head, problemCount }) => ({
    taskId,
    length,
    head,
    problemCount,
  }));
  return { length, chains, anchors };
}

function factsOf({ chains: { tasks, length }, timeline: { rows } }: ShownRun): string[] {
  const times = rows.map(({ time }) => time).filter((time) => time !== "");
  const [from = "", to = ""] = [times[0], times.at(-1)];
  const agents = `${count(length, "record")} in ${count(tasks.length, "task")}`;
  return [agents, ...(from === "" ? [] : [`${from} – ${to}`, elapsed(from, to)])].filter((fact) => fact !== "");
}

/** Returns the last hash of each chain, which people can compare with a copy kept elsewhere. */
function headsOf({ chains: { tasks } }: ShownRun): string[] {
  return tasks.slice(0, MAX_FINDINGS).map(({ taskId, head, length }) => {
    const name = taskId === null ? "records of no task" : `task ${taskId}`;
    return `<li>${shown(name)}: ${count(length, "record")}, head <code>${shown(head ?? "none")}</code></li>`;
  });
}

/** Returns text of unknown origin with invisible characters shown and its direction isolated. */
function shown(text: string): string {
  return `<bdi>${escapeHtml(escapeText(text))}</bdi>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
