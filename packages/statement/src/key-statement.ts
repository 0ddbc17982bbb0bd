import { canonicalizeToBytes } from "@agentprint/canonical-json";
import { z } from "zod";
import { type OpenedEnvelope, readJson, sealLine } from "./envelope.ts";
import { hash, time, timeOf } from "./fields.ts";
import { createVerifier, type StatementSigner } from "./keys.ts";
import { checkShape } from "./shape.ts";
import { STATEMENT_TYPE, type Subject } from "./statement.ts";

/** The predicate types. They are only identifiers, not addresses. */
export const ROTATION_TYPE = "https://agentprint.invalid/key-rotation/v1";
export const REVOCATION_TYPE = "https://agentprint.invalid/key-revocation/v1";

/** The members that predicates of both types have. */
interface KeyPredicate {
  /** The key, as the Base64 of its SubjectPublicKeyInfo. */
  readonly key: string;
  /** The SHA-256 of the previous statement's payload; absent in the first statement. */
  readonly previous?: { readonly sha256: string } | undefined;
  /** The time of signing: RFC 3339 in UTC, with seconds and no fraction. */
  readonly issued: string;
}

/** The statement that another key replaces a key from then on. */
export interface KeyRotation {
  readonly _type: typeof STATEMENT_TYPE;
  /** Both keys, each by the SHA-256 of its SubjectPublicKeyInfo. */
  readonly subject: readonly Subject[];
  readonly predicateType: typeof ROTATION_TYPE;
  readonly predicate: KeyPredicate & {
    readonly successor: string;
    /** After this time, no one may accept the rotation for the first time. */
    readonly expires: string;
  };
}

/** The statement that a key is no longer valid. */
export interface KeyRevocation {
  readonly _type: typeof STATEMENT_TYPE;
  /** The key, by the SHA-256 of its SubjectPublicKeyInfo. */
  readonly subject: readonly Subject[];
  readonly predicateType: typeof REVOCATION_TYPE;
  readonly predicate: KeyPredicate & {
    /** The time from which others may have used the key. */
    readonly since: string;
  };
}

/** A statement about an author's keys. */
export type KeyStatement = KeyRotation | KeyRevocation;

/** A change of a key: its replacement, or the time from which it is not valid. */
export type KeyChange = { readonly key: string; readonly issued: Date } & (
  | { readonly successor: string; readonly expires: Date }
  | { readonly since: Date }
);

/** The parts of a statement about a key. */
export type KeyStatementParts = KeyChange & {
  /** The SHA-256 of the previous statement's payload. */
  readonly previous?: string | undefined;
};

const publicKey = z.string().refine(isPublicKey, "an Ed25519 key as SubjectPublicKeyInfo in Base64");
const subject = (name: string) => z.object({ name: z.literal(name), digest: z.object({ sha256: hash }) });
const previous = z.object({ sha256: hash }).optional();

const ROTATION = z
  .object({
    _type: z.literal(STATEMENT_TYPE),
    subject: z.tuple([subject("key"), subject("successor")]),
    predicateType: z.literal(ROTATION_TYPE),
    predicate: z
      .object({ key: publicKey, successor: publicKey, previous, issued: time, expires: time })
      .refine(({ issued, expires }) => issued < expires, { message: "a time after issued", path: ["expires"] }),
  })
  .refine(isAboutItsKeys, { message: "the digests of the keys", path: ["subject"] });

const REVOCATION = z
  .object({
    _type: z.literal(STATEMENT_TYPE),
    subject: z.tuple([subject("key")]),
    predicateType: z.literal(REVOCATION_TYPE),
    predicate: z.object({ key: publicKey, since: time, previous, issued: time }),
  })
  .refine(isAboutItsKeys, { message: "the digest of the key", path: ["subject"] });

const KEY_STATEMENT = z.discriminatedUnion("predicateType", [ROTATION, REVOCATION]);

/**
 * Returns a statement about a key, for signing.
 *
 * @throws {@link StatementError} `invalid-key`
 */
export function createKeyStatement(parts: KeyStatementParts): KeyStatement {
  const { key, issued, previous: sha256 } = parts;
  const common = { key, ...(sha256 !== undefined && { previous: { sha256 } }), issued: timeOf(issued) };
  const _type = STATEMENT_TYPE;
  if ("since" in parts) {
    const predicate = { ...common, since: timeOf(parts.since) };
    return { _type, subject: subjectsOf(predicate), predicateType: REVOCATION_TYPE, predicate };
  }
  const predicate = { ...common, successor: parts.successor, expires: timeOf(parts.expires) };
  return { _type, subject: subjectsOf(predicate), predicateType: ROTATION_TYPE, predicate };
}

/**
 * Signs a statement about a key and returns its envelope in one line. The payload is the statement's RFC 8785 text.
 *
 * @throws {@link StatementError} `invalid-statement`
 */
export function signKeyStatement(statement: KeyStatement, signer: StatementSigner): string {
  const payload = canonicalizeToBytes(statement);
  readKeyStatement({ payload });
  return sealLine(payload, signer);
}

/**
 * Reads the statement about a key in an opened envelope.
 *
 * @throws {@link StatementError} `invalid-statement`
 */
export function readKeyStatement({ payload }: Pick<OpenedEnvelope, "payload">): KeyStatement {
  return checkShape(KEY_STATEMENT, readJson(payload, "invalid-statement"), "invalid-statement") as KeyStatement;
}

/** Returns the key and its successor, by their digests. */
function subjectsOf({ key, successor }: { readonly key: string; readonly successor?: string | undefined }): Subject[] {
  const subjects = [["key", key], ...(successor === undefined ? [] : [["successor", successor]])] as const;
  return subjects.map(([name, text]) => ({ name, digest: { sha256: createVerifier(text as string).keyId } }));
}

function isAboutItsKeys({ subject, predicate }: Pick<KeyRotation | KeyRevocation, "subject" | "predicate">): boolean {
  // The schema continues after a wrong member, which it has already reported.
  if (![predicate.key, "successor" in predicate ? predicate.successor : predicate.key].every(isPublicKey)) return true;
  return subjectsOf(predicate).every(({ digest }, index) => digest["sha256"] === subject[index]?.digest["sha256"]);
}

/** Returns whether a text is a key in the one-line form that configurations use. */
function isPublicKey(text: string): boolean {
  try {
    return createVerifier(text).publicKey === text;
  } catch {
    return false;
  }
}
