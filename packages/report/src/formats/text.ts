import { escapeText } from "@agentprint/canonical-json";
import type { FindingLevel, Report } from "../report.ts";
import { isNumeric, serverTable } from "../server-table.ts";
import { noteText, type ShownFinding } from "../shown-finding.ts";
import type { ValueLine } from "../shown-values.ts";
import { blocksOf, type ShownBlock } from "../subject-names.ts";
import { MARKED } from "../value-slices.ts";

/** The colours of a text report: for each role a function that returns its argument between escape sequences. */
export type Paint = Readonly<
  Record<FindingLevel | "same" | "subject" | "before" | "after" | "dim", (text: string) => string>
>;

const plain = (text: string): string => text;
const PLAIN: Paint = {
  error: plain,
  warning: plain,
  note: plain,
  same: plain,
  subject: plain,
  before: plain,
  after: plain,
  dim: plain,
};
const HEADLINE = { same: "same", drift: "error", unknown: "error" } as const;
const VALUE = { "-": "before", "+": "after", " ": "dim", "!": "warning" } as const;
/** Values up to this length stand behind the place of their finding, longer ones below it. */
const MAX_INLINE = 72;
/** More names than these stand below a finding. */
const MAX_NAMES = 3;

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
  return `${[...lines, ...(lines.length > 0 ? [""] : []), headlineOf(report, paint)].join("\n")}\n`;
}

/** The report for a terminal: one block for each server or subject, in it a paragraph for each change, the result last. */
export function renderText(
  report: Report,
  findings: readonly ShownFinding[],
  isBrief: boolean,
  paint: Paint = PLAIN,
): string {
  const blocks = blocksOf(findings).map((block) =>
    [paint.subject(block.name), ...blockLines(block, isBrief, paint)].join("\n"),
  );
  return `${[...blocks, headlineOf(report, paint)].join("\n\n")}\n`;
}

function headlineOf({ title, summary, outcome }: Report, paint: Paint): string {
  return paint[HEADLINE[outcome]](`${escapeText(title)}: ${escapeText(summary)}`);
}

/** A finding of a block, with the names under which the block has its subjects. */
type Entry = ShownBlock["entries"][number];

function blockLines({ entries }: ShownBlock, isBrief: boolean, paint: Paint): string[] {
  return paragraphsOf(entries, isBrief).flatMap((paragraph) => paragraphLines(paragraph, isBrief, paint));
}

/** Entries that say the same of the same subjects at several places; alone where their values do not fit on a line. */
function paragraphsOf(entries: readonly Entry[], isBrief: boolean): [Entry, ...Entry[]][] {
  const paragraphs: [Entry, ...Entry[]][] = [];
  const open = new Map<string, [Entry, ...Entry[]]>();
  for (const entry of entries) {
    const { finding, message } = entry.shown;
    const key = JSON.stringify([entry.names, finding.level, finding.rule, message]);
    const paragraph = isBrief ? open.get(key) : undefined;
    if (paragraph !== undefined) {
      paragraph.push(entry);
      continue;
    }
    const started: [Entry, ...Entry[]] = [entry];
    paragraphs.push(started);
    open.set(key, started);
  }
  return paragraphs;
}

function paragraphLines(paragraph: readonly [Entry, ...Entry[]], isBrief: boolean, paint: Paint): string[] {
  const [{ shown, names }] = paragraph;
  const { level } = shown.finding;
  const isShort = names.length <= MAX_NAMES;
  const who = isShort && names.length > 0 ? `${paint.subject(names.join(", "))}: ` : "";
  const below = paragraph.flatMap(({ shown }) => (isInline(shown, isBrief) ? [] : shown.values));
  const places = paragraph.map(({ shown }) => {
    const at = shown.pointer === undefined ? "" : ` at ${shown.pointer}`;
    const values = isInline(shown, isBrief) ? inlineValues(shown.values, paint) : "";
    return `${at}${values === "" ? "" : `: ${values}`}`;
  });
  const notes = [...new Set(paragraph.flatMap(({ shown }) => shown.notes.map(noteText)))];
  return [
    `  ${paint[level](level)}  ${who}${shown.message}${places.join(";")}`,
    ...below.map((line) => `    ${paintLine(line, paint)}`),
    ...(isShort ? [] : [`    ${names.length} of them: ${names.join(", ")}`]),
    ...notes.map((note) => `    ${paint.dim(note)}`),
  ];
}

function isInline({ values }: ShownFinding, isBrief: boolean): boolean {
  if (isBrief) return true;
  const signs = values.map(({ sign }) => sign).join("");
  const length = values.reduce((sum, { text }) => sum + text.length, 0);
  return ["", "-", "+", "~", "-+"].includes(signs) && length <= MAX_INLINE;
}

/** Values on one line: `before → after`, `+ after`, `- before`, or text with marks. */
function inlineValues(lines: readonly ValueLine[], paint: Paint): string {
  const texts: string[] = [];
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1];
    const isChange = line.sign === "-" && next?.sign === "+";
    if (line.sign === "+" && lines[index - 1]?.sign === "-") continue;
    if (isChange) texts.push(`${paint.before(line.text)} → ${paint.after(next.text)}`);
    else if (line.sign === "-" || line.sign === "+") texts.push(paintLine(line, paint));
    else texts.push(paintMarks(line, paint));
  }
  return texts.join(" ");
}

function paintLine(line: ValueLine, paint: Paint): string {
  if (line.sign === "~") return `~ ${paintMarks(line, paint)}`;
  return paint[VALUE[line.sign]](`${line.sign} ${line.text}`);
}

function paintMarks({ sign, text }: ValueLine, paint: Paint): string {
  if (sign !== "~") return paint.warning(text);
  return text.replace(MARKED, (words) => (words.startsWith("[") ? paint.before(words) : paint.after(words)));
}
