import { printable } from "@agentprint/canonical-json/text";
import type { JudgedReport } from "@agentprint/findings";
import { groupFindings, renderReport } from "@agentprint/report";
import { isReadAsText, type ReportOptions } from "../report/report-options.ts";
import { isCutShort, reportPaint, writeReport } from "../report/write-report.ts";
import type { Context } from "../run/context.ts";
import { ask } from "../terminal/ask.ts";
import { type Candidate, contentsWithoutEarlierText } from "./candidate.ts";
import { filesWithoutEarlierText, unshownBytes, withTexts } from "./changed-files.ts";

/** A server that needs a decision, and the report on it alone. */
export interface Stop {
  readonly candidate: Candidate;
  readonly report: JudgedReport;
}

const ANSWERS = {
  yes: "write the state of this server to the lock",
  no: "leave this server's entry unchanged",
  step: "show the changes of this server one at a time",
  full: "show every change of this server in full",
  quit: "skip the remaining servers; those answered with yes are written",
} as const;

/**
 * Walks through servers on the terminal one by one: shows what changed in a server and asks what to do.
 *
 * @param file The path of the lock, for the questions
 * @returns the servers for which the answer was yes
 * @throws CliError `ended` when the input ends or the run is stopped; nothing may then be written
 */
export async function walk(
  context: Context,
  stops: readonly Stop[],
  file: string,
  options: ReportOptions,
): Promise<Candidate[]> {
  const accepted: Candidate[] = [];
  for (const [index, stop] of stops.entries()) {
    const place = stops.length === 1 ? "" : ` (server ${index + 1} of ${stops.length})`;
    const { before } = stop.candidate;
    const question = `${unshown(stop.candidate)}Write this state of ${before.name} to ${file}?${place}`;
    const answer = await decide(context, withFileTexts(stop), question, options);
    if (answer === "yes") accepted.push(stop.candidate);
    if (answer === "quit") break;
  }
  return accepted;
}

/** The maximum number of names or sentences that a question lists. */
const MAX_NAMES = 3;

/** Returns the sentences that precede the question if a change is not shown as a text diff. */
function unshown({ before, after, drift, changedFiles = new Map() }: Candidate): string {
  const names = [...contentsWithoutEarlierText(drift), ...filesWithoutEarlierText(changedFiles)];
  const sentences = unshownBytes(before, after, changedFiles);
  if (names.length > 0) {
    const earlier = `There is no earlier text of ${firstOf(
      names.map((name) => printable(name)),
      ", ",
    )}`;
    sentences.unshift(`${earlier}: you judge all of the current text, not a difference.`);
  }
  return sentences.length === 0 ? "" : `${firstOf(sentences, " ")} `;
}

/** Returns the first few texts, and how many more there are. */
function firstOf(texts: readonly string[], separator: string): string {
  const more = texts.length > MAX_NAMES ? `${separator}and ${texts.length - MAX_NAMES} more` : "";
  return `${texts.slice(0, MAX_NAMES).join(separator)}${more}`;
}

/** Returns the stop with the known texts of the launch's files in place of their digests. */
function withFileTexts({ candidate, report }: Stop): Stop {
  const { changedFiles = new Map() } = candidate;
  return { candidate, report: { ...report, findings: report.findings.map((each) => withTexts(each, changedFiles)) } };
}

async function decide(
  context: Context,
  { candidate: { before }, report }: Stop,
  question: string,
  options: ReportOptions,
): Promise<"yes" | "no" | "quit"> {
  if (isReadAsText(options)) await writeReport(context, report, options);
  let isShown = !(await isCutShort(report, before.name, options));
  for (;;) {
    const answer = await ask(context, question, ANSWERS);
    switch (answer) {
      case "full":
        show(context, report);
        isShown = true;
        break;
      case "step":
        isShown = (await step(context, report)) || isShown;
        break;
      case "yes":
        if (isShown) return answer;
        context.stderr.write("Not every change has been shown yet: answer full or step first\n");
        break;
      default:
        return answer;
    }
  }
}

/** Shows the changes one at a time, each with all tools that it affects; returns whether all were shown. */
async function step(context: Context, report: JudgedReport): Promise<boolean> {
  const groups = groupFindings(report.findings);
  for (const [index, group] of groups.entries()) {
    const [{ rule }] = group;
    show(context, { ...report, findings: group, title: `change ${index + 1} of ${groups.length}`, summary: rule });
    if (index === groups.length - 1) break;
    if ((await ask(context, "Go on?", { yes: "show the next change", no: "back to the question" })) === "no")
      return false;
  }
  return true;
}

/** Shows a full report on the terminal on which the questions are asked. */
function show(context: Context, report: JudgedReport): void {
  const { hidden, stderr } = context;
  const text = renderReport(hidden.replaceIn(report), "text", { full: true, paint: reportPaint(context, stderr) });
  hidden.writeReplaced(stderr, text);
}
