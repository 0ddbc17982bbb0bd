import {
  type Checkpoint,
  type CheckpointTrust,
  type NoteSigner,
  type NoteVerifier,
  openNote,
  parseCheckpoint,
  parseNote,
  TrailError,
  type TrailErrorCode,
  type TreeHead,
  verifyCheckpoint,
} from "@agentprint/trail/checkpoint";
import type { Backend, DroppedEnd } from "../database/backend.ts";
import type { StoredCheckpoint } from "../database/schema.ts";
import { TrailStoreError } from "../errors.ts";
import type { StoreProblem } from "../store-problem.ts";

/** The codes of checkpoints to ignore, because the key was replaced or witnesses cosigned only a later copy. */
const IGNORED_CODES: readonly TrailErrorCode[] = Object.freeze(["too-few-witnesses", "unknown-signer", "wrong-origin"]);

/** The codes of notes that are a problem no matter who is trusted. */
const INVALID_CODES: readonly TrailErrorCode[] = Object.freeze([
  "invalid-checkpoint",
  "invalid-note",
  "invalid-signature",
]);

/** Returns the signed checkpoints of a task, smallest first. */
export async function readCheckpoints({ db, note }: Backend, taskId: string): Promise<StoredCheckpoint[]> {
  const checkpoints = db.selectFrom("checkpoints").select(["task_id", "size", note.as("note")]);
  return checkpoints.where("task_id", "=", taskId).orderBy("size").execute();
}

/**
 * Returns the checkpoint in a signed note, without checking its signatures.
 *
 * @throws {@link TrailError} `invalid-note` when `note` is not a signed note, `invalid-checkpoint` when its text is not
 * a checkpoint.
 */
export function parseSignedCheckpoint(note: string): Checkpoint {
  return parseCheckpoint(parseNote(note).text);
}

/**
 * Returns the stored checkpoints that `trust` accepts, and the problems with the others. Without `trust` no checkpoint
 * is accepted, but each is parsed, and a note that is not a checkpoint is a problem; `claims` are the checkpoints about
 * the dropped records before the record that follows `before`.
 */
export function acceptCheckpoints(
  taskId: string,
  stored: readonly StoredCheckpoint[],
  trust: CheckpointTrust | undefined,
  before?: string,
): { heads: TreeHead[]; claims: TreeHead[]; problems: StoreProblem[] } {
  const heads: TreeHead[] = [];
  const claims: TreeHead[] = [];
  const problems: StoreProblem[] = [];
  const ignored: TrailError[] = [];
  for (const row of stored) {
    try {
      const checkpoint = parseSignedCheckpoint(row.note);
      checkSize(row, checkpoint);
      if (trust) heads.push(verifyCheckpoint(row.note, trust));
      else if (checkpoint.range !== undefined && checkpoint.range.lastHash === before) claims.push(checkpoint);
    } catch (error) {
      if (!(error instanceof TrailError)) throw error;
      if (IGNORED_CODES.includes(error.code)) ignored.push(error);
      else if (INVALID_CODES.includes(error.code)) problems.push(invalid(taskId, row, error));
      else throw error;
    }
  }
  const [reason] = ignored;
  if (heads.length === 0 && reason) {
    const message = `none of the checkpoints stored for task ${JSON.stringify(taskId)} is accepted (${reason.code}): ${reason.message}`;
    problems.push({ kind: "untrusted-checkpoints", taskId, count: ignored.length, message });
  }
  return { heads, claims, problems };
}

/**
 * Returns the stored checkpoints for `origin` whose signatures one of the `verifiers` accepts; a new checkpoint must
 * agree with them. Notes signed with other keys and forged notes are left out, because anyone who can write to the
 * store can have stored them.
 *
 * @param verifiers default: the verifiers of `signers`.
 * @throws {@link TrailStoreError} `unverifiable-checkpoint` when a note has a signature with the name of a signer that has
 * no verifier.
 */
export function signedHeads(
  stored: readonly StoredCheckpoint[],
  origin: string,
  signers: readonly NoteSigner[],
  verifiers: readonly NoteVerifier[] | undefined,
): TreeHead[] {
  const known = verifiers ?? signers.flatMap(({ verifier }) => verifier ?? []);
  const unverifiable = verifiers ? [] : signers.filter(({ verifier }) => verifier === undefined);
  return stored.flatMap((row) => {
    try {
      const checkpoint = parseSignedCheckpoint(row.note);
      checkSize(row, checkpoint);
      if (checkpoint.origin !== origin) return [];
      checkVerifiable(row.note, unverifiable);
      openNote(row.note, known);
      return [checkpoint];
    } catch (error) {
      if (error instanceof TrailError) return [];
      throw error;
    }
  });
}

/**
 * Checks that each of `ends` is the last record of a checkpoint that `trust` accepts.
 *
 * @throws {@link TrailStoreError} `not-droppable` when one of them is not.
 */
export function checkProven(ends: readonly DroppedEnd[], trust: (taskId: string) => CheckpointTrust): void {
  for (const end of ends) {
    if (end.notes.some((note) => isProof(note, end, trust(end.task_id)))) continue;
    const message = `records 0 to ${end.position} of task ${JSON.stringify(end.task_id)} are not covered by an accepted checkpoint: sign them with the trusted key first`;
    throw new TrailStoreError("not-droppable", message);
  }
}

function isProof(note: string, { position, hash }: DroppedEnd, trust: CheckpointTrust): boolean {
  try {
    const { size, range } = verifyCheckpoint(note, trust);
    return size === position + 1 && range?.lastHash === hash;
  } catch (error) {
    if (error instanceof TrailError) return false;
    throw error;
  }
}

function checkVerifiable(note: string, signers: readonly NoteSigner[]): void {
  for (const { name, keyId } of parseNote(note).signatures) {
    if (!signers.some((signer) => signer.name === name && signer.keyId === keyId)) continue;
    const message = `a stored checkpoint of ${JSON.stringify(name)} cannot be verified: expected a signer with a verifier, or \`verifiers\``;
    throw new TrailStoreError("unverifiable-checkpoint", message);
  }
}

function checkSize({ size }: StoredCheckpoint, checkpoint: Checkpoint): void {
  if (size === checkpoint.size) return;
  throw new TrailError(
    "invalid-checkpoint",
    `it is stored as a checkpoint of size ${size}, but has size ${checkpoint.size}`,
  );
}

function invalid(taskId: string, { size }: StoredCheckpoint, error: TrailError): StoreProblem {
  const message = `the checkpoint of size ${size} stored for task ${JSON.stringify(taskId)} is invalid: ${error.message}`;
  return { kind: "invalid-checkpoint", taskId, count: 1, message };
}
