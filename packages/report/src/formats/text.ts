import type { Report } from "@agentprint/findings";
import { showText } from "../characters/show-text.ts";
import { shorten } from "../excerpt-text.ts";
import { groupFindings } from "../group-findings.ts";
import { HIGHEST_FIRST, isNumeric, OUTCOME_WORDS, serverTable } from "../server-table.ts";
import { noteText, type ShownFinding } from "../shown-finding.ts";
import { blocksOf, type ShownBlock } from "../subject-names.ts";
import { MAX_NAMES } from "./brief-paragraphs.ts";
import { briefLines, sharedSentences } from "./brief-text.ts";
import { inlineValues, type Paint, PLAIN, paintLine } from "./paint.ts";

const HEADLINE = { same: "same", drift: "error", unknown: "error" } as const;
/** Values up to this length stand behind the place of their finding, longer ones below it. */
const MAX_INLINE = 72;
/** Longer names of a block, such as a list of tools, are shortened in a dense report. */
const MAX_DENSE_NAME = 100;

/** The report for a terminal: one block for each server or subject, in it each change with its values, the result last. */
export function renderText(report: Report, findings: readonly ShownFinding[], paint: Paint = PLAIN): string {
  const blocks = blocksOf(findings).map((block) => {
    const { entries } = block;
    const lines = entries.flatMap(({ shown, names }, index) => {
      const { values } = shown;
      const isInline = fitsOnLine(shown);
      const notes = shown.notes.map(noteText);
      const isRepeated = entries[index + 1]?.shown.notes.map(noteText).join() === notes.join();
      return [
        `  ${head(shown, names, paint)}${changeText(shown, isInline, paint)}`,
        ...(isInline ? [] : values.map((line) => `    ${paintLine(line, paint)}`)),
        ...namesBelow(names),
        ...(isRepeated ? [] : notes).map((note) => `    ${paint.dim(note)}`),
      ];
    });
    return blockText(block, lines, paint);
  });
  return `${[...blocks, ...changeOf(report), headlineOf(report, paint)].join("\n\n")}\n`;
}

/**
 * The report for a terminal in few lines: the same, with the beginning of each value and what findings have in common once. A dense
 * one has no empty lines, the ends of long pointers, and the number of findings in place of a long result.
 */
export function renderBriefText(
  report: Report,
  findings: readonly ShownFinding[],
  isDense = false,
  paint: Paint = PLAIN,
): string {
  const blocks = blocksOf(findings);
  const shared = isDense ? sharedSentences(blocks) : new Map<string, string>();
  const known = new Set(shared.keys());
  const texts = blocks.map((block) => {
    const lines = briefLines(block, known, isDense, paint);
    return isDense
      ? `${paint.subject(shorten(block.name, MAX_DENSE_NAME))}${lines.join("\n")}`
      : blockText(block, lines, paint);
  });
  const below = [...shared.values()].map((sentence) => paint.dim(sentence)).join(". ");
  const parts = [...texts, ...(below === "" ? [] : [below]), ...changeOf(report), headlineOf(report, paint, isDense)];
  return `${parts.join(isDense ? "\n" : "\n\n")}\n`;
}

/** A table of the servers of a report, for a terminal, and the result. */
export function renderTextSummary(
  report: Report,
  widthOf: (text: string) => number = (text) => text.length,
  paint: Paint = PLAIN,
): string {
  const rows = serverTable(report) ?? [];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ""))));
  const lines = rows.map((row, index) => {
    const cells = row.map((cell, column) => {
      const padding = " ".repeat((widths[column] ?? 0) - widthOf(cell));
      return isNumeric(column) ? padding + cell : cell + padding;
    });
    const line = cells.join("  ").trimEnd();
    return index === 0 ? paint.subject(line) : line;
  });
  const parts = [...changeOf(report), headlineOf(report, paint)];
  return `${[...lines, ...(lines.length > 0 ? [""] : []), ...parts].join("\n")}\n`;
}

function blockText({ name }: ShownBlock, lines: readonly string[], paint: Paint): string {
  return [paint.subject(name), ...lines].join("\n");
}

/** Returns the sentences about the change as a whole, one line each. */
function changeOf({ change = [] }: Report): string[] {
  return change.length === 0 ? [] : [change.map(showText).join("\n")];
}

function headlineOf(report: Report, paint: Paint, isDense = false): string {
  const { title, summary, outcome } = report;
  return paint[HEADLINE[outcome]](`${showText(title)}: ${(isDense && countsOf(report)) || showText(summary)}`);
}

/** How many servers drifted, and how many findings there are. */
function countsOf({ servers = [], findings }: Report): string | undefined {
  if (servers.length < 2) return undefined;
  const outcomes = (["unknown", "drift"] as const).flatMap((outcome) => {
    const some = servers.filter((server) => server.outcome === outcome).length;
    return some === 0 ? [] : [`${some} of ${servers.length} servers ${OUTCOME_WORDS[outcome]}`];
  });
  const groups = groupFindings(findings);
  const counts = HIGHEST_FIRST.map(
    (level) => `${groups.filter(([finding]) => finding.level === level).length} ${level}s`,
  );
  return [...outcomes, counts.join(", ")].join("; ");
}

function head({ finding: { level }, message }: ShownFinding, names: readonly string[], paint: Paint): string {
  const who = names.length > 0 && names.length <= MAX_NAMES ? `${paint.subject(names.join(", "))}: ` : "";
  return `${paint[level](level)}  ${who}${message}`;
}

/** The text after the message of a finding: its place, and its values where they stand on the same line. */
function changeText({ pointer, values }: ShownFinding, isInline: boolean, paint: Paint): string {
  const at = pointer === undefined ? "" : ` at ${pointer}`;
  return isInline && values.length > 0 ? `${at}: ${inlineValues(values, paint)}` : at;
}

function namesBelow(names: readonly string[]): string[] {
  return names.length > MAX_NAMES ? [`    ${names.length} of them: ${names.join(", ")}`] : [];
}

function fitsOnLine({ values }: ShownFinding): boolean {
  const signs = values.map(({ sign }) => sign).join("");
  const length = values.reduce((sum, { text }) => sum + text.length, 0);
  return ["", "-", "+", "~", "-+"].includes(signs) && length <= MAX_INLINE;
}
