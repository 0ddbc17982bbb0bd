import { escapeText, sliceWithoutSplittingSurrogates } from "@agentprint/canonical-json/text";
import type { Context } from "../run/context.ts";

/** Shows the progress of a command in one line on stderr; writes nothing unless stderr is a terminal. */
export function showProgress({ stderr }: Pick<Context, "stderr">, text: string): void {
  if (stderr.isTTY)
    stderr.write(`\r\u001b[2K${sliceWithoutSplittingSurrogates(escapeText(text), 0, (stderr.columns ?? 80) - 1)}`);
}

export function clearProgress({ stderr }: Pick<Context, "stderr">): void {
  if (stderr.isTTY) stderr.write("\r\u001b[2K");
}
