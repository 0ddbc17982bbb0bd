import { EXIT, type ExitCode } from "@agentprint/findings";
import type { Command } from "commander";
import type { Context } from "../run/context.ts";
import { addHistoryOptions, type HistoryOptions, writeHistory } from "../statement/key-history.ts";
import { readSigner, readVerifier } from "../statement/read-statement.ts";
import type { Examples } from "../terminal/examples.ts";
import { time } from "../terminal/option-parsers.ts";

interface RevokeOptions extends HistoryOptions {
  readonly revoked?: string;
  readonly since?: Date;
}

export const examples: Examples = [
  [
    "agentprint key revoke --key next.pem --revoked author.pub --since 2026-05-01T00:00:00Z",
    "others have had author.pem since May",
  ],
  ["agentprint key revoke --key author.pem", "the key revokes itself, and none replaces it"],
];

export function define(command: Command): void {
  addHistoryOptions(command, "one of your accepted private Ed25519 keys, in PEM")
    .option("--revoked <file>", "the public Ed25519 key to revoke, in PEM or Base64 (default: the one from --key)")
    .option("--since <time>", "since when others may have used it, such as 2026-05-01T00:00:00Z (default: now)", time);
}

export async function run(context: Context, options: RevokeOptions): Promise<ExitCode> {
  const signer = await readSigner(context, options.key);
  const { publicKey: key } = options.revoked === undefined ? signer : await readVerifier(context, options.revoked);
  const issued = new Date();
  const file = await writeHistory(context, options, signer, { key, since: options.since ?? issued, issued });
  context.stderr.write(`wrote ${file}: ${key} is revoked\n`);
  return EXIT.same;
}
