import { join } from "node:path";
import { sha256Hex } from "@agentprint/canonical-json";
import { EXIT, type ExitCode } from "@agentprint/findings";
import type { LockedServer } from "@agentprint/mcp-lock";
import { makeFolder } from "@agentprint/recorder/folder";
import { createAttestation, type StatementSigner, signAttestation } from "@agentprint/statement";
import type { Command } from "commander";
import { updateFile } from "../files/update-file.ts";
import { findEntry } from "../lock/find-entry.ts";
import { DEFAULT_LOCK, readLock } from "../lock/read-lock.ts";
import { policyFileOf, readSettings } from "../policy/read-policy.ts";
import type { Context } from "../run/context.ts";
import { CliError, reasonOf } from "../run/errors.ts";
import { attestationsOf } from "../statement/list-attestations.ts";
import { readable, readSigner } from "../statement/read-statement.ts";
import type { Examples } from "../terminal/examples.ts";
import { printNotices } from "../terminal/notices.ts";

/** The number of a digest's hex digits in a file name. */
const NAME_DIGITS = 16;

interface AttestOptions {
  readonly key: string;
  readonly note?: string;
  readonly lock: string;
}

export const examples: Examples = [
  ["agentprint attest files --key mia.pem", "sign that you reviewed the entry of files in the lock"],
  ['agentprint attest files --key mia.pem --note "read all descriptions"', "with a note of your own"],
];

export function define(command: Command): void {
  command
    .argument("<server>", "the name of the server in the lock file")
    .requiredOption("--key <file>", "your private Ed25519 key, in PEM")
    .option("--note <words>", "what you reviewed, at most 1,000 characters")
    .option("-l, --lock <file>", "the lock file", DEFAULT_LOCK);
}

export async function run(context: Context, server: string, { key, note, lock }: AttestOptions): Promise<ExitCode> {
  const entryOf = async (): Promise<LockedServer> => findEntry((await readLock(context, lock)).lock, server, lock);
  const present = await entryOf();
  const signer = await readSigner(context, key);
  const sign = (entry: LockedServer): string => {
    const attestation = createAttestation({ entry, issued: new Date(), note });
    return readable("the attestation", "give a shorter --note, or none", () => signAttestation(attestation, signer));
  };
  // An attestation that cannot be made is refused before anything is written.
  sign(present);
  const folder = attestationsOf(lock);
  await makeFolder(context.pathOf(folder)).catch((error: unknown) => {
    throw new CliError("unwritable-output", `cannot make ${folder}: ${reasonOf(error)}`, { cause: error });
  });
  const file = join(folder, fileName(server, signer.keyId));
  let digest = "";
  await updateFile(context, file, async () => {
    // Read only when the mutex is held, because the previous writer may have attested another entry.
    const entry = await entryOf();
    digest = entry.digest;
    return sign(entry);
  });
  context.stderr.write(`wrote ${file}: you reviewed the entry ${digest} of ${server}\n`);
  await noteUnlisted(context, lock, signer);
  return EXIT.same;
}

/** Returns the file name of a reviewer's attestation of a server, which the next attestation replaces. */
function fileName(server: string, keyId: string): string {
  return `${[sha256Hex(server), keyId].map((digest) => digest.slice(0, NAME_DIGITS)).join("-")}.json`;
}

/** Prints how others can trust a reviewer's key, if the configuration does not list it. */
async function noteUnlisted(context: Context, lock: string, { publicKey }: StatementSigner): Promise<void> {
  const { reviewers } = await readSettings(context, lock);
  if (reviewers.some(({ keys }) => keys.includes(publicKey))) return;
  const member = JSON.stringify({ reviewers: { "<your name>": [publicKey] } });
  printNotices(context, [`it counts once ${policyFileOf({ lock })} lists your key: ${member}`]);
}
