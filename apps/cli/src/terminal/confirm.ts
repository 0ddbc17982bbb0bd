import { escapeText } from "@agentprint/canonical-json/text";
import type { Context } from "../context.ts";
import { askLine, canAsk } from "./ask.ts";

/**
 * Asks on the terminal; `withoutTerminal` is the answer where no question can be asked.
 *
 * @param question One sentence; what a reader would not see in it is escaped
 * @throws CliError `ended` when the input ends, or the run is ended
 */
export async function confirm(context: Context, question: string, withoutTerminal: boolean): Promise<boolean> {
  if (!canAsk(context)) return withoutTerminal;
  return /^y(es)?$/i.test(await askLine(context, `${escapeText(question)} [y/N] `));
}
