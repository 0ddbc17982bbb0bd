import { canonicalizeToBytes } from "@agentprint/canonical-json";
import type { LockedServer } from "@agentprint/mcp-lock";
import { z } from "zod";
import { openEnvelope, readJson, sealEnvelope } from "./envelope.ts";
import { hash, text, time, timeOf } from "./fields.ts";
import type { StatementSigner, StatementVerifier } from "./keys.ts";
import { checkShape } from "./shape.ts";
import { SET_HASH, STATEMENT_TYPE, type Subject } from "./statement.ts";

/** The predicate type. It is only an identifier, not an address. */
export const ATTESTATION_TYPE = "https://agentprint.invalid/attestation/v1";

/** The length of the longest note, in UTF-16 units. */
const MAX_NOTE = 1000;
/** The maximum number of set hashes in an entry. */
const MAX_SETS = 16;

/** A reviewer's statement about an entry in a lock. */
export interface Attestation {
  readonly _type: typeof STATEMENT_TYPE;
  /** The entry's digest as `sha256`, and each of its set hashes as `tdh1`; all have the server's name in the lock. */
  readonly subject: readonly Subject[];
  readonly predicateType: typeof ATTESTATION_TYPE;
  readonly predicate: {
    /** The time of signing: RFC 3339 in UTC, with seconds and no fraction. */
    readonly issued: string;
    /** The reviewer's words. */
    readonly note?: string | undefined;
  };
}

/** An attestation whose signature has been checked. */
export interface OpenedAttestation {
  readonly attestation: Attestation;
  /** The reviewer's key. */
  readonly keyId: string;
}

const entrySubject = z.object({ name: text, digest: z.object({ sha256: hash }) });
const setSubject = z.object({ name: text, digest: z.object({ [SET_HASH]: hash }) });

const ATTESTATION = z.object({
  _type: z.literal(STATEMENT_TYPE),
  subject: z
    .tuple([entrySubject, setSubject], setSubject)
    .refine((subjects) => subjects.length <= 1 + MAX_SETS, `at most ${MAX_SETS} set hashes`)
    .refine(([entry, ...sets]) => sets.every(({ name }) => name === entry.name), "subjects of one name"),
  predicateType: z.literal(ATTESTATION_TYPE),
  predicate: z.object({ issued: time, note: text.max(MAX_NOTE).optional() }),
});

/**
 * Returns an attestation about an entry, for the reviewer to sign.
 *
 * @param parts The entry, the time of signing, and the reviewer's words, if any
 */
export function createAttestation(parts: {
  readonly entry: LockedServer;
  readonly issued: Date;
  readonly note?: string | undefined;
}): Attestation {
  const { entry, issued, note } = parts;
  const { name, digest } = entry;
  return {
    _type: STATEMENT_TYPE,
    subject: [
      { name, digest: { sha256: digest } },
      ...[...setHashesOf(entry)].map((tools) => ({ name, digest: { [SET_HASH]: tools } })),
    ],
    predicateType: ATTESTATION_TYPE,
    predicate: { issued: timeOf(issued), ...(note !== undefined && { note }) },
  };
}

/**
 * Signs an attestation and returns the text of its envelope. The payload is the attestation's RFC 8785 text.
 *
 * @throws {@link StatementError} `invalid-statement`
 */
export function signAttestation(attestation: Attestation, signer: StatementSigner): string {
  const payload = canonicalizeToBytes(attestation);
  readAttestation(payload);
  return sealEnvelope(payload, signer);
}

/**
 * Reads an attestation that one of the keys signed. Nothing in it is read before its signature is verified.
 *
 * @param envelope The envelope's text, at most 16 MiB
 * @param keys The reviewers' keys
 * @throws {@link StatementError} `invalid-envelope`, `wrong-key`, `invalid-signature`, `invalid-statement`
 */
export function openAttestation(envelope: string | Uint8Array, keys: readonly StatementVerifier[]): OpenedAttestation {
  const { payload, keyId } = openEnvelope(envelope, keys);
  return { attestation: readAttestation(payload), keyId };
}

/** Returns whether an attestation matches the current entry, by its name, its digest and all of its set hashes. */
export function isAttested({ subject }: Attestation, entry: LockedServer): boolean {
  const [reviewed, ...sets] = subject;
  const stated = new Set(sets.map(({ digest }) => digest[SET_HASH]));
  const own = setHashesOf(entry);
  return (
    reviewed?.name === entry.name &&
    reviewed.digest["sha256"] === entry.digest &&
    stated.size === own.size &&
    [...own].every((tools) => stated.has(tools))
  );
}

function setHashesOf({ setHashes }: LockedServer): Set<string> {
  return new Set(setHashes.map(({ tools }) => tools));
}

function readAttestation(payload: Uint8Array): Attestation {
  return checkShape(ATTESTATION, readJson(payload, "invalid-statement"), "invalid-statement") as Attestation;
}
