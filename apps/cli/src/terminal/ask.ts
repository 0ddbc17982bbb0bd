import { createInterface } from "node:readline/promises";
import { escapeText } from "@agentprint/canonical-json/text";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";

/** Returns whether a question can be asked, which needs both stdin and stderr to be terminals. */
export function canAsk({ stdin, stderr }: Pick<Context, "stdin" | "stderr">): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/**
 * Returns one line that is typed after a prompt. Input from before the prompt is discarded.
 *
 * @throws {@link CliError} `ended` when the input ends, or the run is stopped
 */
export async function askLine({ stdin, stderr, signal }: Context, prompt: string): Promise<string> {
  // The terminal itself edits the line, so Ctrl-C sends its usual signal.
  const terminal = createInterface({ input: stdin, output: stderr, terminal: false });
  try {
    const line = await new Promise<string>((resolve, reject) => {
      terminal.once("close", () => reject(new CliError("ended", "the input ended before the question was answered")));
      terminal.question(prompt, { ...(signal && { signal }) }).then(resolve, reject);
    });
    return line.trim();
  } finally {
    terminal.close();
  }
}

/**
 * Asks until an answer is given, as the full word or its first letter; any other input prints the meaning of each
 * answer.
 *
 * @param question One sentence, in which invisible characters are escaped
 * @param answers The effects of the answers, by words that begin with different letters
 * @throws {@link CliError} `ended` when the input ends, or the run is stopped
 */
export async function ask<Answer extends string>(
  context: Context,
  question: string,
  answers: Readonly<Record<Answer, string>>,
): Promise<Answer> {
  const words = Object.keys(answers) as Answer[];
  const choices = words.map((word) => `[${word.slice(0, 1)}]${word.slice(1)}`).join(", ");
  for (;;) {
    const given = (await askLine(context, `${escapeText(question)} ${choices}: `)).toLowerCase();
    const answer = words.find((word) => given === word || given === word.slice(0, 1));
    if (answer !== undefined) return answer;
    for (const word of words) context.stderr.write(`  ${word.padEnd(6)}${answers[word]}\n`);
  }
}
