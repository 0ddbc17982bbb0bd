import { escapeText } from "@agentprint/canonical-json/text";
import type { Context } from "../run/context.ts";
import { asCalled } from "./command-line.ts";

/** Prints what the user should know, beside the result, one line each on standard error. */
export function printNotices(context: Context, notices: readonly string[]): void {
  const { yellow } = context.colorsOf(context.stderr);
  for (const notice of notices) context.stderr.write(`${yellow("note:")} ${escapeText(asCalled(context, notice))}\n`);
}
