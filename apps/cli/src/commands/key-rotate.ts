import { EXIT, type ExitCode } from "@agentprint/findings";
import type { Command } from "commander";
import type { Context } from "../run/context.ts";
import { addHistoryOptions, type HistoryOptions, writeHistory } from "../statement/key-history.ts";
import { readSigner, readVerifier } from "../statement/read-statement.ts";
import type { Examples } from "../terminal/examples.ts";
import { days } from "../terminal/option-parsers.ts";

interface RotateOptions extends HistoryOptions {
  readonly successor: string;
  /** In milliseconds. */
  readonly expires: number;
}

export const examples: Examples = [
  ["agentprint key rotate --key author.pem --successor next.pub", "the next statement is signed by next.pem"],
];

export function define(command: Command): void {
  addHistoryOptions(command, "the private Ed25519 key to replace, in PEM")
    .requiredOption("--successor <file>", "the public Ed25519 key that replaces it, in PEM or Base64")
    .option("--expires <days>", "how long the new key can be accepted for the first time", days, days("365d"));
}

export async function run(context: Context, options: RotateOptions): Promise<ExitCode> {
  const signer = await readSigner(context, options.key);
  const { publicKey: successor } = await readVerifier(context, options.successor);
  const issued = new Date();
  const expires = new Date(issued.getTime() + options.expires);
  const file = await writeHistory(context, options, signer, { key: signer.publicKey, successor, issued, expires });
  context.stderr.write(`wrote ${file}: ${successor} replaces ${signer.publicKey}\n`);
  return EXIT.same;
}
