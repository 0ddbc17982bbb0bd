import type { Context, Output } from "../context.ts";

/** Columns that continued lines are indented by, beyond the indentation of their first line. */
const HANGING = 2;
/** A terminal breaks longer lines itself: measuring them takes longer than it is worth. */
const MAX_LENGTH = 20_000;

/**
 * The columns to write a text in: of the terminal, or else those that `COLUMNS` names, or 80. An output that is no terminal has
 * no width: lines that are searched or compared stay whole.
 */
export function columnsOf({ env }: Pick<Context, "env">, { isTTY, columns }: Output): number | undefined {
  if (!isTTY) return undefined;
  return [columns, Number(env["COLUMNS"])].find((width) => Number.isSafeInteger(width) && Number(width) > 0) ?? 80;
}

/** A text whose lines fit into so many columns, wide characters and colours counted as a terminal shows them. */
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
