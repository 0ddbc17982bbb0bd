import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { EXIT, type ExitCode } from "@agentprint/findings";
import { createNoteKeys } from "@agentprint/trail/checkpoint";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { CliError, reasonOf } from "../errors.ts";

export function define(command: Command): void {
  command
    .argument("<name>", "the name of the log or witness, by convention a URL without scheme")
    .argument("<file>", "file for the secret key; it must not exist yet");
}

export async function run(context: Context, name: string, file: string): Promise<ExitCode> {
  const { signerKey, verifierKey, cosignerKey } = createNoteKeys(name, randomBytes(32));
  await writeFile(context.pathOf(file), `${signerKey}\n`, { mode: 0o600, flag: "wx" }).catch((cause: unknown) => {
    throw new CliError("unwritable-output", `no key can be written to ${file}: ${reasonOf(cause)}`, {
      expected: "a new file in a folder that can be written",
      fix: "name another file: a key that exists is never replaced",
      cause,
    });
  });
  context.stdout.write(`${verifierKey}\n${cosignerKey}\n`);
  return EXIT.same;
}
