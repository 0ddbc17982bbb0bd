import { deepEqual, equal, match } from "node:assert/strict";
import { format } from "node:util";

/**
 * Fails if the comment after an expression is neither the output of `console.log` for it, nor its value in JavaScript.
 * A colon may follow with an explanation. A comment may be prose only after an expression that is not logged.
 */
export function check(comment: string, isLogged: boolean, ...values: unknown[]): void {
  const printed = format(...values);
  if (printed === comment || comment.startsWith(`${printed}: `)) return;
  const expected = evaluate(comment) ?? evaluate(comment.replace(/: .*$/s, ""));
  if (expected !== undefined) deepEqual(values.length === 1 ? values[0] : values, expected.value);
  else if (isLogged) equal(printed, comment);
}

/** Returns the value of a text as a JavaScript expression; `undefined` if it is not one. */
function evaluate(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: new Function(`"use strict"; return (${text});`)() };
  } catch {
    return undefined;
  }
}

/**
 * Fails if `run` does not print the lines of the comment after it. A long line may be broken, `…` stands for anything,
 * and both kinds of quotes count as equal.
 */
export async function checkPrinted(comment: readonly string[], run: () => unknown): Promise<void> {
  const { log } = console;
  const printed: string[] = [];
  console.log = (...values) => void printed.push(format(...values));
  try {
    await run();
  } finally {
    console.log = log;
  }
  const sameQuotes = (text: string): string => text.replaceAll('"', "'");
  const pattern = sameQuotes(comment.join(" "))
    .split("…")
    .map((piece) => piece.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  match(sameQuotes(printed.join(" ")), new RegExp(`^${pattern.join(".*")}$`, "s"));
}
