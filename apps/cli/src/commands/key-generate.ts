import { generateKeyPairSync } from "node:crypto";
import { unlink } from "node:fs/promises";
import { EXIT, type ExitCode } from "@agentprint/findings";
import type { Command } from "commander";
import { writeNewKey } from "../files/write-new-key.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";

export const examples: Examples = [["agentprint key generate author.pem", "writes author.pem and author.pub"]];

export function define(command: Command): void {
  command.argument("<file>", "file for the private Ed25519 key, in PEM; it must not exist yet");
}

export async function run(context: Context, file: string): Promise<ExitCode> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const secret = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const line = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  const publicFile = `${file.replace(/\.pem$/, "")}.pub`;
  await writeNewKey(context, file, secret, 0o600);
  try {
    await writeNewKey(context, publicFile, `${line}\n`, 0o644);
  } catch (error) {
    await unlink(context.pathOf(file));
    throw error;
  }
  context.stderr.write(`wrote ${file}, which is secret, and ${publicFile}, which others need\n`);
  context.stdout.write(`${line}\n`);
  return EXIT.same;
}
