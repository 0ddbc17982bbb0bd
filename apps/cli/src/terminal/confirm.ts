import { createInterface } from "node:readline/promises";
import { escapeText } from "@agentprint/report";

/**
 * Asks on the terminal; `withoutTerminal` is the answer where there is nobody to ask.
 *
 * @param question - one sentence; what a reader would not see in it is escaped
 */
export async function confirm(question: string, withoutTerminal: boolean): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return withoutTerminal;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${escapeText(question)} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
