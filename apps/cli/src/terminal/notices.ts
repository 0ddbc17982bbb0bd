import { escapeText, sliceWithoutSplittingSurrogates } from "@agentprint/canonical-json/text";
import type { Context } from "../run/context.ts";
import { asCalled } from "./command-line.ts";

/** Prints notices for the user, in addition to the result, one line each on standard error. */
export function printNotices(context: Context, notices: readonly string[]): void {
  const { yellow } = context.colorsOf(context.stderr);
  for (const notice of notices) context.stderr.write(`${yellow("note:")} ${escapeText(asCalled(context, notice))}\n`);
}

/** Shows the progress of a command in one line on stderr; writes nothing unless stderr is a terminal. */
export function showProgress({ stderr }: Pick<Context, "stderr">, text: string): void {
  if (stderr.isTTY)
    stderr.write(`\r\u001b[2K${sliceWithoutSplittingSurrogates(escapeText(text), 0, (stderr.columns ?? 80) - 1)}`);
}

export function clearProgress({ stderr }: Pick<Context, "stderr">): void {
  if (stderr.isTTY) stderr.write("\r\u001b[2K");
}
