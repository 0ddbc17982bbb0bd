import type { TrailTransaction } from "@agentprint/trail-store";
import type { Kysely } from "kysely";
import { RegistryError } from "../errors.ts";
import { keepQuery } from "../store/kept-query.ts";
import type { RegistryStore } from "../store/open-store.ts";
import type { KeyRow, RegistryTables } from "../store/schema.ts";
import { ownRecord } from "../trail/own-chain.ts";
import { createToken, idOfToken, matchesToken, type NewToken } from "./token.ts";

type Stored = Pick<RegistryStore, "trail">;

/** The value of a key's `agent_id` that stands for every agent. */
export const EVERY_AGENT = "*";
/** The hash that unknown tokens are compared with, so that checking them takes as long as checking a known one. */
const NO_HASH = "0".repeat(64);
const keyById = keepQuery((db) => db.selectFrom("api_keys").selectAll().where("id", "=", ""));

/** Issues a key for an agent, or for {@link EVERY_AGENT}; its token exists only in the return value. */
export async function issueKey({ trail }: Stored, agentId: string, now: Date): Promise<NewToken> {
  return trail.transact((transaction: TrailTransaction<RegistryTables>) => insertKey(transaction, agentId, now));
}

/** Returns every key, oldest first. */
export async function listKeys(db: Kysely<RegistryTables>): Promise<KeyRow[]> {
  return db.selectFrom("api_keys").selectAll().orderBy("created_at").orderBy("id").execute();
}

/**
 * Issues a new key for the agent of key `id`; the old key ends `graceMs` milliseconds after `now`.
 *
 * @throws {@link RegistryError} `KEY_NOT_FOUND` when there is no usable key `id`.
 */
export async function rotateKey({ trail }: Stored, id: string, now: Date, graceMs: number): Promise<NewToken> {
  return trail.transact(async (transaction: TrailTransaction<RegistryTables>) => {
    const { db, append } = transaction;
    const key = await db.selectFrom("api_keys").selectAll().where("id", "=", id).executeTakeFirst();
    if (!key || !isUsable(key, now)) throw noKey(id);
    const expires_at = new Date(now.getTime() + graceMs).toISOString();
    await db.updateTable("api_keys").set({ expires_at }).where("id", "=", id).execute();
    const next = await insertKey(transaction, key.agent_id, now);
    await append(ownRecord({ event: "key_rotated", key_id: id, successor: next.id, expires_at }, now));
    return next;
  });
}

/**
 * Ends key `id` immediately.
 *
 * @throws {@link RegistryError} `KEY_NOT_FOUND` when there is no such key.
 */
export async function revokeKey({ trail }: Stored, id: string, now: Date): Promise<void> {
  await trail.transact(async ({ db, append }: TrailTransaction<RegistryTables>) => {
    const key = await db.selectFrom("api_keys").select("revoked_at").where("id", "=", id).executeTakeFirst();
    if (!key) throw noKey(id);
    if (key.revoked_at !== null) return;
    await db.updateTable("api_keys").set({ revoked_at: now.toISOString() }).where("id", "=", id).execute();
    await append(ownRecord({ event: "key_revoked", key_id: id }, now));
  });
}

/**
 * Confirms key `id`, which a rollback suspended, so that it can be used again.
 *
 * @throws {@link RegistryError} `KEY_NOT_FOUND` when there is no such key.
 */
export async function confirmKey({ trail }: Stored, id: string, now: Date): Promise<void> {
  await trail.transact(async ({ db, append }: TrailTransaction<RegistryTables>) => {
    const key = await db.selectFrom("api_keys").select("suspended_at").where("id", "=", id).executeTakeFirst();
    if (!key) throw noKey(id);
    if (key.suspended_at === null) return;
    await db.updateTable("api_keys").set({ suspended_at: null }).where("id", "=", id).execute();
    await append(ownRecord({ event: "key_confirmed", key_id: id }, now));
  });
}

async function insertKey(
  { db, append }: TrailTransaction<RegistryTables>,
  agentId: string,
  now: Date,
): Promise<NewToken> {
  const key = createToken();
  const row = { id: key.id, agent_id: agentId, token_hash: key.hash, created_at: now.toISOString() };
  const open = { expires_at: null, revoked_at: null, suspended_at: null, last_used_at: null };
  await db
    .insertInto("api_keys")
    .values({ ...row, ...open })
    .execute();
  await append(ownRecord({ event: "key_issued", key_id: key.id, agent_id: agentId }, now));
  return key;
}

/** Returns a token's key, which may be suspended; `undefined` if there is none or it has ended. */
export async function findKey(
  { select }: Pick<RegistryStore, "select">,
  token: string,
  now: Date,
): Promise<KeyRow | undefined> {
  const [key] = await select(keyById, idOfToken(token) ?? "");
  const matches = matchesToken(token, key?.token_hash ?? NO_HASH);
  return key && matches && isOpen(key, now) ? key : undefined;
}

function isUsable(key: KeyRow, now: Date): boolean {
  return key.suspended_at === null && isOpen(key, now);
}

/** Returns whether a key is neither revoked nor expired. */
function isOpen({ expires_at, revoked_at }: KeyRow, now: Date): boolean {
  return revoked_at === null && (expires_at === null || expires_at > now.toISOString());
}

function noKey(id: string): RegistryError {
  return new RegistryError("KEY_NOT_FOUND", `there is no usable key ${JSON.stringify(id)}`);
}
