import { basename } from "node:path";
import { type ExitCode, type JudgedReport, judgeReport } from "@agentprint/findings";
import type { EventVerifier, TrailEntry } from "@agentprint/recorder/events";
import type { ChainReport } from "@agentprint/trail/chain";
import { placesOfProblems } from "@agentprint/trail-page";
import { formatJson } from "../files/format-json.ts";
import { replaceFile } from "../files/replace-file.ts";
import { writeReport } from "../report/write-report.ts";
import type { Context } from "../run/context.ts";
import { printNotices } from "../terminal/notices.ts";
import { isStoreUrl, withoutPassword } from "../trail/source.ts";
import { chainsToReport } from "../trail/trail-report.ts";
import { printRows } from "./print-rows.ts";
import { type Run, type RunOptions, readRun } from "./read-run.ts";

/** The display options of a run. */
interface ShowRunOptions extends RunOptions {
  readonly format: "json" | "text";
  readonly html?: string;
}

/** Shows a run as rows, as JSON Lines, or as a page; returns the exit code of its verification. */
export async function showRun(
  context: Context,
  source: string,
  options: ShowRunOptions,
  keys: readonly EventVerifier[],
): Promise<ExitCode> {
  const { format, html } = options;
  const page = html === undefined ? undefined : await import("@agentprint/trail-page/page");
  let blocks = page && new page.EntryBlocks();
  const newOnEntry = (written: () => void): ((entry: TrailEntry) => Promise<void>) => {
    blocks = page && new page.EntryBlocks();
    return async (entry) => {
      if (format === "json") {
        written();
        context.stdout.write(formatJson(entry));
      }
      await blocks?.add(entry);
    };
  };
  const run = await readRun(context, source, options, keys, newOnEntry);
  const chains = chainsOf(run);
  const report = reportOn(run, chains, source);
  if (html !== undefined && page && blocks) {
    const name = isStoreUrl(source) ? withoutPassword(source) : basename(source);
    await replaceFile(context, html, await page.makePage({ name, run, report, blocks: await blocks.finish() }));
  }
  if (format === "text" && html === undefined) {
    await printRows(context, run.timeline.rows, placesOfProblems(chains));
  }
  if (keys.length === 0) {
    printNotices(context, ["no recorder's key was given (--event-key): sealed records are shown as text"]);
  }
  return writeReport(context, report, { format, full: false });
}

/** Returns the reports on the tasks, and on records without a task if there are any. */
function chainsOf({ chains: { tasks, unassigned } }: Run): readonly ChainReport[] {
  return unassigned.length === 0 && tasks.length > 0 ? tasks : [...tasks, unassigned];
}

function reportOn(run: Run, chains: readonly ChainReport[], source: string): JudgedReport {
  const { storeProblems, eventProblems, uncovered, signer } = run;
  const file = isStoreUrl(source) || source === "-" ? undefined : source;
  const report = chainsToReport(
    { chains, storeProblems, eventProblems, uncovered, hasHashes: chains.some(({ taskId }) => taskId !== null) },
    { name: withoutPassword(source), file, signer },
  );
  return judgeReport({ ...report, command: "agentprint trail show" });
}
