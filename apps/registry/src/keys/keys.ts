import type { Kysely } from "kysely";
import { RegistryError } from "../errors.ts";
import { keepQuery } from "../store/kept-query.ts";
import type { RegistryStore } from "../store/open-store.ts";
import type { KeyRow, RegistryTables } from "../store/schema.ts";
import { createToken, idOfToken, matchesToken, type NewToken } from "./token.ts";

/** Stands for every agent in `agent_id` of a key. */
export const EVERY_AGENT = "*";
/** What an unknown token is compared with, so that it takes as long as a known one. */
const NO_HASH = "0".repeat(64);
const keyById = keepQuery((db) => db.selectFrom("api_keys").selectAll().where("id", "=", ""));

/** Issues a key for an agent, or for {@link EVERY_AGENT}; only the result has its token. */
export async function issueKey(db: Kysely<RegistryTables>, agentId: string, now: Date): Promise<NewToken> {
  const key = createToken();
  await db
    .insertInto("api_keys")
    .values({
      id: key.id,
      agent_id: agentId,
      token_hash: key.hash,
      created_at: now.toISOString(),
      expires_at: null,
      revoked_at: null,
    })
    .execute();
  return key;
}

/** Every key, oldest first. */
export async function listKeys(db: Kysely<RegistryTables>): Promise<KeyRow[]> {
  return db.selectFrom("api_keys").selectAll().orderBy("created_at").orderBy("id").execute();
}

/**
 * Issues a key for the agent of key `id`, and lets key `id` end `graceMs` milliseconds after `now`.
 *
 * @throws {@link RegistryError} `KEY_NOT_FOUND` when no such key can be used.
 */
export async function rotateKey(db: Kysely<RegistryTables>, id: string, now: Date, graceMs: number): Promise<NewToken> {
  return db.transaction().execute(async (transaction) => {
    const key = await transaction.selectFrom("api_keys").selectAll().where("id", "=", id).executeTakeFirst();
    if (!key || !isUsable(key, now)) throw noKey(id);
    await transaction
      .updateTable("api_keys")
      .set({ expires_at: new Date(now.getTime() + graceMs).toISOString() })
      .where("id", "=", id)
      .execute();
    return issueKey(transaction, key.agent_id, now);
  });
}

/**
 * Ends key `id` at once.
 *
 * @throws {@link RegistryError} `KEY_NOT_FOUND` when there is no such key.
 */
export async function revokeKey(db: Kysely<RegistryTables>, id: string, now: Date): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("api_keys")
    .set((eb) => ({ revoked_at: eb.fn.coalesce("revoked_at", eb.val(now.toISOString())) }))
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw noKey(id);
}

/** The key of a token; `undefined` if there is none, or it has ended. */
export async function findKey(
  { select }: Pick<RegistryStore, "select">,
  token: string,
  now: Date,
): Promise<KeyRow | undefined> {
  const [key] = await select(keyById, idOfToken(token) ?? "");
  const matches = matchesToken(token, key?.token_hash ?? NO_HASH);
  return key && matches && isUsable(key, now) ? key : undefined;
}

function isUsable({ expires_at, revoked_at }: KeyRow, now: Date): boolean {
  return revoked_at === null && (expires_at === null || expires_at > now.toISOString());
}

function noKey(id: string): RegistryError {
  return new RegistryError("KEY_NOT_FOUND", `there is no key ${JSON.stringify(id)} that can be used`);
}
