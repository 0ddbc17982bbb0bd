import { createNoteVerifier } from "@agentprint/trail/checkpoint";
import type { SignerKey } from "@agentprint/trail-store";
import { sql } from "kysely";
import type { Logger } from "pino";
import { RESTORING } from "../backup/copy-postgres.ts";
import { openElsewhere } from "../elsewhere/elsewhere.ts";
import { type KeptNotes, type KeyList, predecessorsOf, readKept, readKeyList } from "../elsewhere/kept-notes.ts";
import { RegistryError } from "../errors.ts";
import { listSuccessions } from "../signer/rotate-signer.ts";
import type { RegistryStore } from "../store/open-store.ts";
import { OWN_CHAIN, taskOf } from "../trail/change-record.ts";
import { hasCheckpoints } from "../trail/checkpoints.ts";
import { acceptRollback } from "./accept-rollback.ts";
import { findLost, type LostHead, lengthOf } from "./find-lost.ts";

const MAX_LISTED = 5;
const UNREADABLE = "the checkpoints kept elsewhere cannot be read";

/** The operator's options for a rollback when a registry starts. */
export interface RollbackOptions {
  readonly accept: boolean;
  /** A signed list of keys that replaces the list kept with the checkpoints. */
  readonly keyList?: string | undefined;
}

/** The dependencies of {@link checkStart}. */
export interface Checking {
  readonly store: RegistryStore;
  readonly signing: SignerKey;
  readonly checkpointTo: string | undefined;
  readonly log: Logger;
  readonly now: () => Date;
}

/**
 * Checks that the database is not older than the checkpoints kept elsewhere; returns whether a rollback was accepted.
 *
 * @throws {@link RegistryError} `ROLLED_BACK` when the rollback is not accepted and the database is older, or may have
 * been restored when its age is unknown. A database that was copied by hand does not record that it was restored, so if
 * the checkpoints cannot be read, any database may be a restored one.
 */
export async function checkStart(checking: Checking, options: RollbackOptions): Promise<boolean> {
  const { store, log, now } = checking;
  const isRestored = await wasRestored(store);
  const kept = await readElsewhere(checking);
  if (typeof kept === "string" && !isRestored && !(await isUnreadable(checking, kept))) {
    if (checking.checkpointTo !== undefined) log.warn({ reason: kept }, "checkpoints kept elsewhere were not compared");
    return false;
  }
  const lost = typeof kept === "string" ? [] : await findLost(store.db, kept.heads);
  if (lost.length === 0 && typeof kept !== "string") {
    if (isRestored) await store.db.deleteFrom("restorations").execute();
    return false;
  }
  const reason = typeof kept === "string" ? unknownBecause(kept, isRestored) : reasonOf(lost);
  if (!options.accept) throw new RegistryError("ROLLED_BACK", `${reason}, or start with --accept-rollback`);
  const keyList = await keyListOf(checking, kept, options.keyList);
  const known = typeof kept === "string" ? undefined : new Set(kept.heads.map(({ agentId }) => agentId));
  await acceptRollback(store, { lost, known, keyList }, now());
  log.warn({ reason, keys: keyList ? "as listed" : "suspended" }, "a rollback was accepted");
  return true;
}

/** Returns whether the database was restored and no registry has used it since. */
async function wasRestored({ db, dialect }: RegistryStore): Promise<boolean> {
  if ((await db.selectFrom("restorations").select("restored_at").execute()).length > 0) return true;
  if (dialect === "sqlite") return false;
  // A restore was interrupted before the database was marked and checked.
  const { rows } = await sql<{ found: string | null }>`select to_regclass(${RESTORING})::text as found`.execute(db);
  if (rows[0]?.found === null) return false;
  throw new RegistryError("ROLLED_BACK", "the database was not restored completely: restore into an empty one");
}

/** Returns whether there may be unreadable checkpoints elsewhere: before the first one is signed, there are none. */
async function isUnreadable({ store }: Checking, reason: string): Promise<boolean> {
  if (!reason.startsWith(UNREADABLE)) return false;
  return hasCheckpoints(store.db);
}

/** Returns the notes kept elsewhere, or the reason why they cannot be read. */
async function readElsewhere({ store, checkpointTo, signing }: Checking): Promise<KeptNotes | string> {
  if (checkpointTo === undefined) return "checkpoint_to is not set, so no checkpoints are kept elsewhere";
  const elsewhere = openElsewhere(checkpointTo);
  let notes: readonly string[];
  try {
    // Once a checkpoint has been signed, a missing folder is one that cannot be reached, even if nothing has been sent
    // to it yet.
    if (!(await hasCheckpoints(store.db))) await elsewhere.prepare();
    notes = await elsewhere.read();
  } catch (error) {
    return `${UNREADABLE}: ${error instanceof Error ? error.message : "no reason given"}`;
  }
  if (!notes.some((note) => note.startsWith(`${signing.signer.name}/`)))
    return "none of its checkpoints is kept elsewhere";
  return readKept(notes, signing, await listSuccessions(store.db));
}

/**
 * Returns the list of keys to use, which must not be older than the newest known record of the registry's own chain.
 */
async function keyListOf(
  { store, signing }: Checking,
  kept: KeptNotes | string,
  given: string | undefined,
): Promise<KeyList | undefined> {
  const successions = (await listSuccessions(store.db)).map(({ note }) => note);
  const keys = predecessorsOf(successions, signing.signer.name, signing.verifierKey);
  const list =
    given !== undefined
      ? readKeyList(given, signing.signer.name, [...keys].map(createNoteVerifier))
      : typeof kept === "string"
        ? undefined
        : kept.keyList;
  const sizes = typeof kept === "string" ? [] : kept.heads.filter(({ agentId }) => agentId === OWN_CHAIN);
  const newest = Math.max(await lengthOf(store.db, taskOf(OWN_CHAIN)), ...sizes.map(({ size }) => size));
  if (list && list.size >= newest) return list;
  if (given === undefined) return undefined;
  const message = `the list of keys belongs to record ${list?.size} of the registry's chain, expected a list of record ${newest} or later`;
  throw new RegistryError("ROLLED_BACK", message);
}

function unknownBecause(reason: string, isRestored: boolean): string {
  return isRestored
    ? `the database was restored, and ${reason}. Restore a newer backup`
    : `the database may be an older copy: ${reason}. Make the place readable`;
}

function reasonOf(lost: readonly LostHead[]): string {
  const listed = lost.slice(0, MAX_LISTED).map(({ agentId, size, length }) => {
    const chain = agentId === OWN_CHAIN ? "its own chain" : agentId;
    return length < size
      ? `${chain} has ${length} of ${size} records`
      : `${chain} has records that differ from the ${size} that were signed`;
  });
  const more = lost.length > MAX_LISTED ? ` and ${lost.length - MAX_LISTED} more` : "";
  return `the database is older than the checkpoints that are kept elsewhere: ${listed.join(", ")}${more}. Restore a newer backup`;
}
