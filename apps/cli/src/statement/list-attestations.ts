import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { count } from "@agentprint/findings";
import type { Context } from "../run/context.ts";
import { CliError, isMissing, reasonOf } from "../run/errors.ts";

/** The maximum number of attestations next to one lock. */
const MAX_ATTESTATIONS = 10_000;

/** Returns the folder of the attestations of a lock: `agentprint.attestations` next to `agentprint.lock`. */
export function attestationsOf(lock: string): string {
  return `${lock.replace(/\.lock$/, "")}.attestations`;
}

/**
 * Returns the paths of the attestations next to a lock; none if there is no folder.
 *
 * @throws {@link CliError} `unreadable-input` when the folder cannot be read, `too-large` when it has too many files
 */
export async function listAttestations(context: Pick<Context, "pathOf">, lock: string): Promise<string[]> {
  const folder = attestationsOf(lock);
  const all = await readdir(context.pathOf(folder)).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw new CliError("unreadable-input", `cannot read ${folder}: ${reasonOf(error)}`, {
      where: folder,
      expected: "a folder of attestations",
      cause: error,
    });
  });
  const files = all.filter((name) => name.endsWith(".json")).sort();
  if (files.length <= MAX_ATTESTATIONS) return files.map((name) => join(folder, name));
  throw new CliError("too-large", `${folder} has ${count(files.length, "attestation")}`, {
    where: folder,
    expected: `at most ${MAX_ATTESTATIONS}`,
  });
}
