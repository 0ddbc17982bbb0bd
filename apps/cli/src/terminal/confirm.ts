import { createInterface } from "node:readline/promises";
import { escapeText } from "@agentprint/report";
import type { Context } from "../context.ts";

/** Whether a question can be asked: stdin and stderr are both terminals. */
export function canAsk({ stdin, stderr }: Pick<Context, "stdin" | "stderr">): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/**
 * Asks on the terminal; `withoutTerminal` is the answer where no question can be asked.
 *
 * @param question One sentence; what a reader would not see in it is escaped
 */
export async function confirm(context: Context, question: string, withoutTerminal: boolean): Promise<boolean> {
  if (!canAsk(context)) return withoutTerminal;
  const { stdin, stderr, signal } = context;
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await terminal.question(`${escapeText(question)} [y/N] `, { ...(signal && { signal }) });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
