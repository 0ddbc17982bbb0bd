import { escapeText } from "@agentprint/canonical-json/text";
import type { Context } from "../run/context.ts";
import { askLine, canAsk } from "./ask.ts";

/**
 * Asks on the terminal; returns `withoutTerminal` if no question can be asked.
 *
 * @param question One sentence, in which invisible characters are escaped
 * @throws CliError `ended` when the input ends, or the run is stopped
 */
export async function confirm(context: Context, question: string, withoutTerminal: boolean): Promise<boolean> {
  if (!canAsk(context)) return withoutTerminal;
  return /^y(es)?$/i.test(await askLine(context, `${escapeText(question)} [y/N] `));
}
