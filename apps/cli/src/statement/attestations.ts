import type { LockedServer } from "@agentprint/mcp-lock/lock";
import type { Reviewer } from "@agentprint/policy/settings";
import {
  createVerifier,
  isAttested,
  type OpenedAttestation,
  openAttestation,
  type StatementVerifier,
} from "@agentprint/statement";
import { readRegularFile } from "../files/read-input.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { readable } from "./read-statement.ts";

/** The maximum size of an attestation, in bytes. */
export const MAX_ATTESTATION_BYTES = 65_536;

/** An attestation of a reviewer, next to the lock. */
export interface ReadAttestation {
  readonly server: string;
  readonly reviewer: string;
  readonly keyId: string;
  /** The time that the reviewer states. */
  readonly issued: string;
  readonly note?: string;
  /** Whether the attestation is about the current entry. */
  readonly matches: boolean;
}

/** The attestations next to a lock. */
export interface ReadAttestations {
  /** The valid attestations, the newest first. */
  readonly attestations: readonly ReadAttestation[];
  /** The reasons why the others are not valid. */
  readonly problems: readonly CliError[];
}

/**
 * Reads attestations. An attestation that no reviewer signed, or that cannot be read, is a problem.
 *
 * @throws {@link CliError} `unreadable-input` when a reviewer's key is not valid
 */
export async function readAttestations(
  context: Context,
  files: readonly string[],
  entries: readonly LockedServer[],
  reviewers: readonly Reviewer[],
): Promise<ReadAttestations> {
  const keys = reviewers.flatMap(keysOf);
  const attestations: ReadAttestation[] = [];
  const problems: CliError[] = [];
  for (const file of files) {
    try {
      const text = await readRegularFile(context, file, MAX_ATTESTATION_BYTES);
      const fix =
        "if you know who signed it, list the key under reviewers in agentprint.config.json; otherwise remove it";
      const opened = readable(file, fix, () =>
        openAttestation(
          text,
          keys.map(({ key }) => key),
        ),
      );
      const { reviewer = "" } = keys.find(({ key }) => key.keyId === opened.keyId) ?? {};
      attestations.push(attestationIn(opened, entries, reviewer));
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      problems.push(error);
    }
  }
  attestations.sort((one, other) => Date.parse(other.issued) - Date.parse(one.issued));
  return { attestations, problems };
}

/** Returns the verifiers of a reviewer, each with the reviewer's name. */
function keysOf({ name: reviewer, keys }: Reviewer): { readonly reviewer: string; readonly key: StatementVerifier }[] {
  const fix = "compare the key with the reviewer's";
  return keys.map((text) => ({ reviewer, key: readable(`the key of ${reviewer}`, fix, () => createVerifier(text)) }));
}

function attestationIn(
  { attestation, keyId }: OpenedAttestation,
  entries: readonly LockedServer[],
  reviewer: string,
): ReadAttestation {
  const { name: server = "" } = attestation.subject[0] ?? {};
  const { issued, note } = attestation.predicate;
  const matches = entries.some((entry) => isAttested(attestation, entry));
  return { server, reviewer, keyId, issued, ...(note !== undefined && { note }), matches };
}
