import type { JudgedReport } from "@agentprint/findings";
import { showText } from "../characters/show-text.ts";
import { shorten } from "../excerpt-text.ts";
import { groupFindings } from "../group-findings.ts";
import { HIGHEST_FIRST, isNumeric, OUTCOME_WORDS, serverTable } from "../server-table.ts";
import { noteText, type ShownFinding } from "../shown-finding.ts";
import { blocksOf, type ShownBlock, sectionsOf } from "../subject-names.ts";
import { MAX_NAMES } from "./brief-paragraphs.ts";
import { briefBlock, namesInWords, sharedSentences } from "./brief-text.ts";
import { inlineValues, type Paint, PLAIN, paintLine } from "./paint.ts";

const HEADLINE = { same: "same", drift: "error", unknown: "error" } as const;
/** Values up to this length stand after the finding's place, and longer values stand below it. */
const MAX_INLINE = 72;
/** A longer block name, such as a list of tools, is shortened in a dense report. */
const MAX_DENSE_NAME = 100;

/**
 * Renders the report for a terminal: one block for each server or subject, which contains each change with its values,
 * and finally the result.
 */
export function renderText(report: JudgedReport, findings: readonly ShownFinding[], paint: Paint = PLAIN): string {
  return `${[...wholeBlocks(report, findings, paint), ...changeOf(report), headlineOf(report, paint)].join("\n\n")}\n`;
}

function wholeBlocks(report: JudgedReport, findings: readonly ShownFinding[], paint: Paint): string[] {
  return blocksOf(findings).map((block) => {
    const lines = sectionsOf(block).flatMap(({ title, entries }) => [
      ...(title === undefined ? [] : [` ${paint.subject(title)}`]),
      ...entries.flatMap((entry, index) => wholeLines(entry, entries[index + 1], paint)),
    ]);
    return blockText(report, block, lines, paint);
  });
}

function wholeLines(
  { shown, names }: ShownBlock["entries"][number],
  next: ShownBlock["entries"][number] | undefined,
  paint: Paint,
): string[] {
  const { values } = shown;
  const isInline = fitsOnLine(shown);
  const notes = shown.notes.map(noteText);
  const isRepeated = next?.shown.notes.map(noteText).join() === notes.join();
  return [
    `  ${head(shown, names, paint)}${changeText(shown, isInline, paint)}`,
    ...(isInline ? [] : values.map((line) => `    ${paintLine(line, paint)}`)),
    ...(names.length > MAX_NAMES ? [`    ${namesInWords(names, [shown])}`] : []),
    ...(isRepeated ? [] : notes).map((note) => `    ${paint.dim(note)}`),
  ];
}

/** The brief report for a terminal, and the changes that it does not show in full. */
interface BriefText {
  readonly text: string;
  readonly cut: ReadonlySet<ShownFinding>;
}

/**
 * Renders the report for a terminal in few lines: it shows the beginning of each value, and the common parts of
 * findings once. A dense report has no empty lines, only the ends of long pointers, and the number of findings instead
 * of a long result.
 *
 * @param inFull The changes that are shown in full below
 */
export function renderBriefText(
  report: JudgedReport,
  findings: readonly ShownFinding[],
  { isDense = false, paint = PLAIN, inFull = [] }: BriefOptions = {},
): BriefText {
  const blocks = blocksOf(findings);
  const shared = isDense ? sharedSentences(blocks) : new Map<string, string>();
  const known = new Set(shared.keys());
  const cut = new Set(isDense ? findings : findings.filter(({ isWhole }) => !isWhole));
  const texts = blocks.map((block) => {
    // With several servers and little room, the order of the sections is enough.
    const hasTitles = !isDense || blocks.length === 1;
    const sections = sectionsOf(block).map(({ title, ...section }) =>
      briefBlock({ ...section, ...(hasTitles && title !== undefined && { title }) }, known, isDense, paint),
    );
    for (const section of sections) for (const change of section.cut) cut.add(change);
    const lines = sections.flatMap(({ lines }) => lines);
    return blockText(report, block, lines, paint, isDense);
  });
  const below = [...shared.values()].map((sentence) => paint.dim(sentence)).join(". ");
  const whole = inFull.length === 0 ? [] : [paint.subject(IN_FULL), ...wholeBlocks(report, inFull, paint)];
  const parts = [
    [...texts, ...(below === "" ? [] : [below])].join(isDense ? "\n" : "\n\n"),
    ...whole,
    [...changeOf(report), headlineOf(report, paint, isDense)].join(isDense ? "\n" : "\n\n"),
  ];
  const between = isDense && whole.length === 0 ? "\n" : "\n\n";
  return { text: `${parts.filter((part) => part !== "").join(between)}\n`, cut };
}

/** How a brief text is written. */
interface BriefOptions {
  readonly isDense?: boolean;
  readonly paint?: Paint;
  readonly inFull?: readonly ShownFinding[];
}

/** The heading above the changes that the preceding brief text does not show in full. */
const IN_FULL = "The complete text of everything shortened above";

/** Renders a table of a report's servers, for a terminal, and the result. */
export function renderTextSummary(
  report: JudgedReport,
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

/**
 * Returns a block's name, with the server's change, and its lines; a dense block has nothing between the name and the
 * lines.
 */
function blockText(
  { servers = [] }: JudgedReport,
  block: ShownBlock,
  lines: readonly string[],
  paint: Paint,
  isDense = false,
): string {
  const name = paint.subject(isDense ? shorten(block.name, MAX_DENSE_NAME) : block.name);
  const event = servers.find(({ server }) => showText(server) === block.name)?.event;
  if (event === undefined && isDense) return `${name}${lines.join("\n")}`;
  return [`${name}${event === undefined ? "" : `: ${showText(event)}`}`, ...lines].join("\n");
}

/** Returns the sentences about the server's change, one line each. */
function changeOf({ change = [] }: JudgedReport): string[] {
  return change.length === 0 ? [] : [change.map(showText).join("\n")];
}

function headlineOf(report: JudgedReport, paint: Paint, isDense = false): string {
  const { title, summary, outcome } = report;
  return paint[HEADLINE[outcome]](`${showText(title)}: ${(isDense && countsOf(report)) || showText(summary)}`);
}

/** Returns the number of servers that drifted, and the number of findings. */
function countsOf({ servers = [], findings }: JudgedReport): string | undefined {
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

/** Returns the text after a finding's message: its place, and its values if they stand on the same line. */
function changeText({ pointer, values }: ShownFinding, isInline: boolean, paint: Paint): string {
  const at = pointer === undefined ? "" : ` at ${pointer}`;
  return isInline && values.length > 0 ? `${at}: ${inlineValues(values, paint)}` : at;
}

function fitsOnLine({ values }: ShownFinding): boolean {
  const signs = values.map(({ sign }) => sign).join("");
  const length = values.reduce((sum, { text }) => sum + text.length, 0);
  return ["", "-", "+", "~", "-+"].includes(signs) && length <= MAX_INLINE;
}
