import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import { RegistryError } from "../errors.ts";
import type { IdempotencyName, Publication, Submission } from "./publication.ts";
import type { RegistryTables } from "./schema.ts";

/** How long an answer is kept. */
const KEPT_MS = 86_400_000;

/**
 * Returns a change's name from its `Idempotency-Key`; `undefined` without this header.
 *
 * @throws {@link RegistryError} `INVALID_IDEMPOTENCY_KEY` when the header does not have 1 to 255 visible ASCII
 * characters.
 */
export function idempotencyOf(
  header: string | undefined,
  method: string,
  path: string,
  body: Uint8Array,
): IdempotencyName | undefined {
  if (header === undefined) return undefined;
  if (!/^[!-~]{1,255}$/.test(header)) {
    throw new RegistryError("INVALID_IDEMPOTENCY_KEY", "Idempotency-Key: expected 1 to 255 visible ASCII characters");
  }
  return {
    name: createHash("sha256").update(header).digest("hex"),
    digest: createHash("sha256").update(`${method} ${path}\n`).update(body).digest("hex"),
  };
}

/**
 * Returns the version that an earlier request with the same name stored; `undefined` if there is none.
 *
 * @throws {@link RegistryError} `IDEMPOTENCY_KEY_REUSED` when the earlier request was a different one.
 */
export async function findRepeated(
  db: Kysely<RegistryTables>,
  { keyId, idempotency }: Submission,
  now: Date,
): Promise<Publication | undefined> {
  if (!idempotency) return undefined;
  const row = await db
    .selectFrom("idempotency_keys")
    .selectAll()
    .where("key_id", "=", keyId)
    .where("name", "=", idempotency.name)
    .where("created_at", ">", now.getTime() - KEPT_MS)
    .executeTakeFirst();
  if (!row) return undefined;
  if (row.digest !== idempotency.digest) throw reused();
  const version = await db
    .selectFrom("versions")
    .select(["hash", "breaking_changes"])
    .where("agent_id", "=", row.agent_id)
    .where("version", "=", row.version)
    .executeTakeFirstOrThrow();
  const diff = { breaking: JSON.parse(version.breaking_changes), nonBreaking: [], unclassified: [] };
  return { agentId: row.agent_id, version: row.version, hash: version.hash, diff, warnings: [], isRepeated: true };
}

/** Stores which version a named change became, in the same transaction as the version. */
export async function storeIdempotency(
  db: Kysely<RegistryTables>,
  { keyId, agentId, idempotency }: Submission,
  version: number,
  now: Date,
): Promise<void> {
  if (!idempotency) return;
  const row = { ...idempotency, agent_id: agentId, version, created_at: now.getTime() };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("idempotency_keys")
    .values({ key_id: keyId, ...row })
    // Replaces only a row older than a day: `findRepeated` has checked newer rows, unless they were stored in the
    // meantime.
    .onConflict((conflict) =>
      conflict
        .columns(["key_id", "name"])
        .doUpdateSet(row)
        .where("idempotency_keys.created_at", "<=", now.getTime() - KEPT_MS),
    )
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) throw reused();
}

/** Deletes the answers that are older than a day. */
export async function deleteOldIdempotency(db: Kysely<RegistryTables>, now: Date): Promise<void> {
  await db
    .deleteFrom("idempotency_keys")
    .where("created_at", "<=", now.getTime() - KEPT_MS)
    .execute();
}

/**
 * Returns the error for a reused name. Requests for one agent wait for each other, so two of them never store the same
 * version.
 */
function reused(): RegistryError {
  const message = "the Idempotency-Key was already sent with another request: expected the same method, path and body";
  return new RegistryError("IDEMPOTENCY_KEY_REUSED", message);
}
