import type { ThoughtRecord } from "@agentprint/trail";
import { createInclusionProof, type InclusionProof } from "@agentprint/trail/checkpoint";
import type { Kysely } from "kysely";
import { RegistryError } from "../errors.ts";
import type { RegistryTables } from "../store/schema.ts";
import { taskOf } from "./change-record.ts";

/** A record of an agent's history; `proof` shows that it is in the tree of the checkpoint, `null` if it is newer. */
interface HistoryEntry {
  readonly version: number;
  readonly record: ThoughtRecord;
  readonly proof: InclusionProof | null;
}

/** A page of an agent's history, with all that verifying it offline needs beside the public key. */
export interface History {
  readonly task_id: string;
  /** The newest signed checkpoint; `null` before the first one. */
  readonly checkpoint: string | null;
  readonly entries: readonly HistoryEntry[];
}

/** The newest signed checkpoint of an agent. */
export async function newestCheckpoint(
  db: Kysely<RegistryTables>,
  agentId: string,
): Promise<{ readonly note: string; readonly size: number } | undefined> {
  return db
    .selectFrom("checkpoints")
    .select(["note", "size"])
    .where("task_id", "=", taskOf(agentId))
    .orderBy("size", "desc")
    .limit(1)
    .executeTakeFirst();
}

/**
 * The records of the versions of an agent behind version `after`, at most `limit`, each with its inclusion proof.
 *
 * @throws {@link RegistryError} `CORRUPT` when records of the checkpoint are missing.
 */
export async function readHistory(
  db: Kysely<RegistryTables>,
  agentId: string,
  after: number,
  limit: number,
): Promise<History> {
  const task_id = taskOf(agentId);
  const checkpoint = await newestCheckpoint(db, agentId);
  const rows = await db
    .selectFrom("thoughts")
    .selectAll()
    .where("task_id", "=", task_id)
    .where("position", ">=", after)
    .orderBy("position")
    .limit(limit)
    .execute();
  const size = Number(checkpoint?.size ?? 0);
  const hashes = rows.length > 0 && after < size ? await hashesOf(db, task_id, size) : [];
  if (rows.length > 0 && after < size && hashes.length < size) {
    const message = `the checkpoint of ${task_id} has ${size} records, and the trail only ${hashes.length}: records were cut off`;
    throw new RegistryError("CORRUPT", message);
  }
  const entries = rows.map(async ({ position, ...record }) => ({
    version: position + 1,
    record,
    proof: position < size ? await createInclusionProof(hashes, position, size) : null,
  }));
  return { task_id, checkpoint: checkpoint?.note ?? null, entries: await Promise.all(entries) };
}

async function hashesOf(db: Kysely<RegistryTables>, taskId: string, size: number): Promise<string[]> {
  const rows = await db
    .selectFrom("thoughts")
    .select("hash")
    .where("task_id", "=", taskId)
    .where("position", "<", size)
    .orderBy("position")
    .execute();
  return rows.map(({ hash }) => hash);
}
