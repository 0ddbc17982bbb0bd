import {
  createNoteVerifier,
  parseCheckpoint,
  parseNote,
  type TreeHead,
  verifyCheckpoint,
} from "@agentprint/trail/checkpoint";

/** A checkpoint that a user kept, and the log that should have signed it. */
export interface AnchorInput {
  readonly checkpoint: string;
  /** The public key of the log; empty if it is not known. */
  readonly key: string;
  readonly origin: string;
}

/** The contents of a checkpoint, and whether its signature was checked. */
export interface Anchor {
  readonly head: TreeHead;
  readonly origin: string;
  readonly isSigned: boolean;
}

/**
 * Reads a checkpoint; `undefined` if none was given. Checks its signature if a key was given.
 *
 * @throws {TrailError} as `verifyCheckpoint` and `parseCheckpoint` do
 */
export function readAnchor({ checkpoint, key, origin }: AnchorInput): Anchor | undefined {
  if (checkpoint.trim() === "") return undefined;
  // A note ends with a line feed, which people lose when they copy it.
  const note = `${checkpoint.trim()}\n`;
  const stated = parseCheckpoint(parseNote(note).text);
  if (key.trim() === "") return { head: stated, origin: stated.origin, isSigned: false };
  const trust = { origin: origin.trim() || stated.origin, log: createNoteVerifier(key.trim()) };
  return { head: verifyCheckpoint(note, trust), origin: stated.origin, isSigned: true };
}
