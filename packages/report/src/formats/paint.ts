import type { Level } from "@agentprint/findings";
import type { ValueLine } from "../shown-values.ts";
import { MARKED } from "../value-slices.ts";

/** The colours in a text report: for each role, a function that returns its argument between escape sequences. */
export type Paint = Readonly<Record<Level | "same" | "subject" | "before" | "after" | "dim", (text: string) => string>>;

const plain = (text: string): string => text;

/** No colours. */
export const PLAIN: Paint = {
  error: plain,
  warning: plain,
  note: plain,
  same: plain,
  subject: plain,
  before: plain,
  after: plain,
  dim: plain,
};

const VALUE = { "-": "before", "+": "after", " ": "dim", "!": "warning" } as const;

/** Returns a line about a value, with its sign. */
export function paintLine(line: ValueLine, paint: Paint): string {
  if (line.sign === "~") return `~ ${paintMarks(line, paint)}`;
  return paint[VALUE[line.sign]](`${line.sign} ${line.text}`);
}

/** Returns values on one line: `before → after`, `+ after`, `- before`, or text with marks around what differs. */
export function inlineValues(lines: readonly ValueLine[], paint: Paint): string {
  return lines
    .flatMap((line, index) => {
      const [last, next] = [lines[index - 1], lines[index + 1]];
      if (line.sign === "-" && next?.sign === "+") return [`${paint.before(line.text)} → ${paint.after(next.text)}`];
      if (line.sign === "+" && last?.sign === "-") return [];
      return [line.sign === "-" || line.sign === "+" ? paintLine(line, paint) : paintMarks(line, paint)];
    })
    .join(" ");
}

function paintMarks({ sign, text }: ValueLine, paint: Paint): string {
  if (sign !== "~") return text;
  return text.replace(MARKED, (words) => (words.startsWith("[") ? paint.before(words) : paint.after(words)));
}
