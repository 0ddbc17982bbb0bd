import { randomBytes } from "node:crypto";
import { EXIT, type ExitCode } from "@agentprint/findings";
import { createNoteKeys } from "@agentprint/trail/checkpoint";
import type { Command } from "commander";
import { writeNewKey } from "../files/write-new-key.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";

export const examples: Examples = [
  ["agentprint trail keygen log.example.com/trails log.key", "prints the two public keys, which verifiers need"],
];

export function define(command: Command): void {
  command
    .argument("<name>", "the name of the log or witness, by convention a URL without scheme")
    .argument("<file>", "file for the secret key; it must not exist yet");
}

export async function run(context: Context, name: string, file: string): Promise<ExitCode> {
  const { signerKey, verifierKey, cosignerKey } = createNoteKeys(name, randomBytes(32));
  await writeNewKey(context, file, `${signerKey}\n`, 0o600);
  context.stdout.write(`${verifierKey}\n${cosignerKey}\n`);
  return EXIT.same;
}
