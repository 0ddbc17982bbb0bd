import type { Context, Output } from "../run/context.ts";

/** The columns by which continued lines are indented, beyond the indentation of their first line. */
const HANGING = 2;
/** The maximum length of a line to wrap. The terminal breaks longer lines, because measuring them takes too long. */
const MAX_LENGTH = 20_000;

/**
 * Returns the columns of the terminal, or else those that `COLUMNS` names, or 80. An output other than a terminal has
 * no width: its lines are not wrapped, so that they can be searched and compared.
 */
export function columnsOf({ env }: Pick<Context, "env">, { isTTY, columns }: Output): number | undefined {
  if (!isTTY) return undefined;
  return [columns, Number(env["COLUMNS"])].find((width) => Number.isSafeInteger(width) && Number(width) > 0) ?? 80;
}

/** Wraps the lines of a text to `columns`; wide characters and colours are measured as a terminal shows them. */
export async function wrapLines(text: string, columns: number | undefined): Promise<string> {
  if (columns === undefined || text.split("\n").every(({ length }) => 2 * length <= columns)) return text;
  const { default: wrapAnsi } = await import("wrap-ansi");
  const wrap = (line: string): string => {
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    const width = columns - indent - HANGING;
    if (line.length > MAX_LENGTH || width < HANGING) return line;
    const whole = wrapAnsi(line.slice(indent), width + HANGING, { hard: true });
    const rows = whole.includes("\n") ? wrapAnsi(line.slice(indent), width, { hard: true }) : whole;
    return " ".repeat(indent) + rows.replaceAll("\n", `\n${" ".repeat(indent + HANGING)}`);
  };
  return text.split("\n").map(wrap).join("\n");
}

/** Breaks a line at single spaces into rows of at most `width` UTF-16 code units; a longer word is not broken. */
export function wrapWords(line: string, width: number | undefined): string[] {
  if (width === undefined || line.length <= width) return [line];
  const rows: string[] = [];
  let row = "";
  for (const word of line.split(" ")) {
    if (row !== "" && row.length + 1 + word.length > width) {
      rows.push(row);
      row = word;
    } else row = row === "" ? word : `${row} ${word}`;
  }
  return [...rows, row];
}
