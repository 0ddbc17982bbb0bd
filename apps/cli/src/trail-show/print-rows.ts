import { escapeText } from "@agentprint/canonical-json/text";
import { asAltered, type Row, type Tone } from "@agentprint/trail-page";
import type { Colors } from "../run/color.ts";
import type { Context } from "../run/context.ts";
import { columnsOf, wrapLines } from "../terminal/wrap-lines.ts";

const LABEL_WIDTH = 13;

/** The marks before rows, which convey the tone without colours. */
const MARKS: Readonly<Record<Tone, string>> = { bad: "✗", good: "✓", odd: "!", plain: "·", quiet: " " };

/** Prints rows, one line each; `marked` are the places of records with a problem. */
export async function printRows(
  context: Context,
  rows: readonly Row[],
  marked: ReadonlySet<number> = new Set(),
): Promise<void> {
  const { stdout } = context;
  const colors = context.colorsOf(stdout);
  const columns = columnsOf(context, stdout);
  let task = "";
  for (const row of rows) {
    if (row.task !== "" && row.task !== task) {
      task = row.task;
      stdout.write(`${colors.bold(`task ${escapeText(task)}`)}\n`);
    }
    const isMarked = row.records.some((place) => marked.has(place));
    stdout.write(`${await wrapLines(lineOf(isMarked ? asAltered(row) : row, colors), columns)}\n`);
  }
}

function lineOf({ time, tone, label, what, why }: Row, colors: Colors): string {
  const paint = paintOf(tone, colors);
  const place = time === "" ? "" : `${colors.dim(escapeText(time))} `;
  const subject = tone === "quiet" ? colors.dim(escapeText(what)) : escapeText(what);
  const parts = [
    `${paint(MARKS[tone])} ${paint(escapeText(label).padEnd(LABEL_WIDTH))}`,
    subject,
    paint(escapeText(why.join(" · "))),
  ];
  return `  ${place}${parts.filter((part) => part !== "").join(" ")}`.trimEnd();
}

function paintOf(tone: Tone, { dim, green, red, yellow }: Colors): (text: string) => string {
  switch (tone) {
    case "bad":
      return red;
    case "good":
      return green;
    case "odd":
      return yellow;
    case "quiet":
      return dim;
    case "plain":
      return (text) => text;
  }
}
