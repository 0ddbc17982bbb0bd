import { escapeText } from "@agentprint/report";
import { colorsFor } from "./color.ts";

/** Prints what the user should know, beside the result, one line each on standard error. */
export function printNotices(notices: readonly string[]): void {
  const { yellow } = colorsFor(process.stderr);
  for (const notice of notices) process.stderr.write(`${yellow("note:")} ${escapeText(notice)}\n`);
}
