import { signNote } from "@agentprint/trail/checkpoint";
import type { SignerKey, TrailTransaction } from "@agentprint/trail-store";
import type { Kysely } from "kysely";
import { successionText } from "../elsewhere/kept-notes.ts";
import { RegistryError } from "../errors.ts";
import type { RegistryStore } from "../store/open-store.ts";
import type { RegistryTables, SuccessionRow } from "../store/schema.ts";
import { ownRecord } from "../trail/own-chain.ts";

/** Returns the signer keys after the first one, oldest first, each with the note that its predecessor signed. */
export async function listSuccessions(db: Kysely<RegistryTables>): Promise<SuccessionRow[]> {
  return db.selectFrom("signer_successions").selectAll().orderBy("position").execute();
}

/**
 * Lets the current signer key sign a note about its successor, which signs the same note, and records the note in the
 * registry's chain; returns the note.
 *
 * @throws {@link RegistryError} `INVALID_CONFIGURATION` when `present` already has a successor.
 */
export async function rotateSigner(
  { trail }: Pick<RegistryStore, "trail">,
  present: SignerKey,
  successor: SignerKey,
  now: Date,
): Promise<string> {
  return trail.transact(async ({ db, append }: TrailTransaction<RegistryTables>) => {
    const before = await listSuccessions(db);
    checkNewest(before, present);
    const position = before.length + 1;
    const text = successionText(present.signer.name, position, present.verifierKey, successor.verifierKey);
    const note = signNote(text, [present.signer, successor.signer]);
    await db.insertInto("signer_successions").values({ position, verifier_key: successor.verifierKey, note }).execute();
    const { verifierKey: verifier_key } = present;
    await append(ownRecord({ event: "signer_rotated", verifier_key, successor: successor.verifierKey }, now));
    return note;
  });
}

/**
 * Checks that `present` is the newest signer key.
 *
 * @throws {@link RegistryError} `INVALID_CONFIGURATION` when the key has a successor.
 */
export async function checkSigner({ db }: Pick<RegistryStore, "db">, present: SignerKey): Promise<void> {
  checkNewest(await listSuccessions(db), present);
}

function checkNewest(successions: readonly SuccessionRow[], { verifierKey }: SignerKey): void {
  const newest = successions.at(-1)?.verifier_key ?? verifierKey;
  if (newest === verifierKey) return;
  const message = `the signer key was rotated: expected signer_key_file with the key ${newest}, received ${verifierKey}`;
  throw new RegistryError("INVALID_CONFIGURATION", message);
}
