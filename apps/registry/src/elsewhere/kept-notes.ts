import {
  type Checkpoint,
  createNoteVerifier,
  type NoteVerifier,
  openNote,
  parseCheckpoint,
  parseNote,
  TrailError,
} from "@agentprint/trail/checkpoint";
import type { SignerKey } from "@agentprint/trail-store";
import { RegistryError } from "../errors.ts";
import { OWN_CHAIN } from "../trail/change-record.ts";

/** A checkpoint kept elsewhere whose signature was verified. */
export interface KeptHead extends Checkpoint {
  /** The agent's id; `*` for the registry's own chain. */
  readonly agentId: string;
  readonly note: string;
}

/** The checkpoints and the list of keys that are kept elsewhere for one registry. */
export interface KeptNotes {
  readonly heads: readonly KeptHead[];
  /** The newest list of usable keys. */
  readonly keyList: KeyList | undefined;
}

/** The keys that were usable when the registry's own chain had `size` records, each with the time when it ends. */
export interface KeyList {
  readonly size: number;
  readonly keys: ReadonlyMap<string, string | null>;
}

/**
 * Returns the text of a list of keys, which consists of its origin, the size of the registry's chain, and the keys as
 * JSON.
 */
export function keyListText(name: string, { size, keys }: KeyList): string {
  return `${name}/keys\n${size}\n${JSON.stringify([...keys])}\n`;
}

/** Returns the text that a signer key signs to name its successor. */
export function successionText(name: string, position: number, from: string, to: string): string {
  return `${name}/signer\n${position}\n${from}\n${to}\n`;
}

/**
 * Returns the notes in `notes` that belong to this registry, without those under other names. `successions` are the
 * database's notes about signer keys.
 *
 * @throws {@link RegistryError} `ROLLED_BACK` when a note with the registry's name is signed neither by its key nor by
 * one of the earlier keys.
 */
export function readKept(
  notes: readonly string[],
  { signer, verifierKey }: SignerKey,
  successions: readonly { readonly note: string }[],
): KeptNotes {
  const { name } = signer;
  const own = notes.filter((note) => note.startsWith(`${name}/`));
  const verifiers = [...predecessorsOf([...own, ...successions.map(({ note }) => note)], name, verifierKey)].map(
    createNoteVerifier,
  );
  const heads: KeptHead[] = [];
  let keyList: KeyList | undefined;
  for (const note of own) {
    const kind = note.slice(name.length + 1, note.indexOf("\n"));
    if (kind === "signer") continue;
    const text = opened(note, verifiers);
    if (kind === "keys") {
      const list = parseKeyList(text);
      if (list.size >= (keyList?.size ?? 0)) keyList = list;
    } else {
      const checkpoint = parseCheckpoint(text);
      heads.push({ ...checkpoint, note, agentId: kind === "registry" ? OWN_CHAIN : kind.replace(/^agents\//, "") });
    }
  }
  return { heads, keyList };
}

/** Returns `verifierKey` and the public keys before it, as long as each is also signed by its successor. */
export function predecessorsOf(notes: readonly string[], name: string, verifierKey: string): Set<string> {
  const keys = new Set([verifierKey]);
  const successions = notes.filter((note) => note.startsWith(`${name}/signer\n`));
  for (const key of keys) {
    for (const note of successions) {
      const [, , from = "", to] = note.split("\n");
      if (to === key && isSignedBy(note, key) && isSignedBy(note, from)) keys.add(from);
    }
  }
  return keys;
}

function isSignedBy(note: string, key: string): boolean {
  try {
    openNote(note, [createNoteVerifier(key)]);
    return true;
  } catch (error) {
    if (error instanceof TrailError) return false;
    throw error;
  }
}

/**
 * Reads a list of keys.
 *
 * @throws {@link RegistryError} `ROLLED_BACK` when `note` is not a list of keys signed by one of `verifiers`.
 */
export function readKeyList(note: string, name: string, verifiers: readonly NoteVerifier[]): KeyList {
  const text = opened(note, verifiers);
  if (text.startsWith(`${name}/keys\n`)) return parseKeyList(text);
  throw new RegistryError("ROLLED_BACK", `expected a list of the keys of ${name}`);
}

function parseKeyList(text: string): KeyList {
  const [, size, keys = ""] = text.split("\n");
  return { size: Number(size), keys: new Map(JSON.parse(keys) as [string, string | null][]) };
}

function opened(note: string, verifiers: readonly NoteVerifier[]): string {
  try {
    openNote(note, verifiers);
    return parseNote(note).text;
  } catch (cause) {
    if (!(cause instanceof TrailError)) throw cause;
    const origin = note.slice(0, Math.max(0, note.indexOf("\n")));
    const message = `a note of ${JSON.stringify(origin)} that is kept elsewhere is not signed by this registry: ${cause.message}`;
    throw new RegistryError("ROLLED_BACK", message, { cause });
  }
}
