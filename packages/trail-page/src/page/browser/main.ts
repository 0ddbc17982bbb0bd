/// <reference lib="dom" />
// The script of the page that shows a run; it is bundled into one file.

import { count } from "@agentprint/findings";
import { type ChainReport, TasksVerifier } from "@agentprint/trail/chain";
import { placesOfProblems } from "../../places-of-problems.ts";
import { Timeline } from "../../timeline.ts";
import { recordOf } from "../entry-lines.ts";
import type { PageReport } from "../page-report.ts";
import { Blocks, decompress } from "./blocks.ts";
import { byId, make, shown } from "./elements.ts";
import { Table } from "./table.ts";
import { verdictOn } from "./verdict.ts";

/** The time in milliseconds for which the page works before it lets the browser draw. */
const DRAW_MS = 50;
/** The maximum number of problems to list. */
const MAX_LISTED = 100;

/** Announces the verdict once. Progress is shown in another element, so that screen readers do not announce it. */
function say(tone: "bad" | "good", text: string, problems: readonly string[] = []): void {
  const mark = { bad: "✗", good: "✓" }[tone];
  const items = problems.slice(0, MAX_LISTED).map((problem) => make("li", "", shown(problem)));
  byId("progress").remove();
  byId("verdict").replaceChildren(
    make("p", "", make("span", `badge ${tone}`, mark), " ", shown(text)),
    ...(items.length > 0 ? [make("ul", "", ...items)] : []),
  );
}

/** Shows how many records were verified, and lets the browser draw and handle input. */
async function showProgress(verified: number, all: number): Promise<void> {
  byId<HTMLProgressElement>("done").value = all === 0 ? 1 : verified / all;
  const percent = all === 0 ? 100 : Math.floor((100 * verified) / all);
  byId("progress-text").textContent = `Verifying: ${verified} of ${count(all, "record")} (${percent} %)`;
  await new Promise((resolve) => setTimeout(resolve));
}

async function showRun(): Promise<void> {
  const report: PageReport = JSON.parse(await decompress(byId("report").textContent ?? ""));
  await showProgress(0, report.length);
  const blocks = new Blocks();
  const timeline = new Timeline(report.anchors);
  const table = new Table(timeline.rows, (place) => blocks.entryAt(place));
  const verifier = new TasksVerifier({
    checkpoints: (task) => report.anchors.flatMap((anchor) => (anchor.task === task ? (anchor.head ?? []) : [])),
  });
  const withTask = report.chains.length > 2;
  let drawn = performance.now();
  for (let block = 0; block < blocks.count; block++) {
    for (const entry of await blocks.readNext(timeline.places)) {
      timeline.add(entry);
      const record = recordOf(entry);
      if (record !== undefined) verifier.push(record);
      // Long records take longer than a person should wait.
      if (performance.now() - drawn < DRAW_MS) continue;
      await showProgress(timeline.places, report.length);
      drawn = performance.now();
    }
    if (block === 0) table.update(new Set(), withTask);
    await showProgress(timeline.places, report.length);
    drawn = performance.now();
  }
  timeline.end();
  const found = verifier.finish();
  const chains: readonly ChainReport[] = [...found.tasks, found.unassigned];
  table.update(placesOfProblems(chains), withTask);
  const { tone, text } = verdictOn(found, report);
  const problems = chains.flatMap((chain) => chain.problems.map((one) => `record ${one.index}: ${one.message}`));
  say(tone, text, problems);
}

showRun().catch((error: unknown) => {
  say("bad", `this page cannot be read, so it was changed after the command wrote it: ${error}`);
});
