import type { ThoughtRecord } from "@agentprint/trail";
import type { InclusionProof } from "@agentprint/trail/checkpoint";
import { type Kysely, sql } from "kysely";
import { countFitting } from "../store/read.ts";
import type { RegistryTables } from "../store/schema.ts";
import type { StoredRecord } from "../store/trail-tables.ts";
import { taskOf } from "./change-record.ts";
import type { TrailThread } from "./trail-thread.ts";

/** The number of bytes of a record and its proof, without the content. */
const RECORD_OVERHEAD = 2000;

/**
 * A record of an agent's history; `proof` shows that the record is in the checkpoint's tree, and is `null` if the
 * record is newer.
 */
interface HistoryEntry {
  readonly version: number;
  readonly record: ThoughtRecord;
  readonly proof: InclusionProof | null;
}

/** A page of an agent's history, with everything needed to verify it offline, except the public key. */
export interface History {
  readonly task_id: string;
  /** The newest signed checkpoint; `null` before the first one. */
  readonly checkpoint: string | null;
  readonly entries: readonly HistoryEntry[];
}

/** Returns an agent's newest signed checkpoint. */
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
 * Returns the records of an agent's versions after version `after`, at most `limit` and only as many as fit into a
 * page, each with its inclusion proof.
 *
 * @throws {@link RegistryError} `CORRUPT` when records that the checkpoint covers are missing, `UNAVAILABLE`.
 */
export async function readHistory(
  db: Kysely<RegistryTables>,
  thread: TrailThread,
  agentId: string,
  after: number,
  limit: number,
): Promise<History> {
  const task_id = taskOf(agentId);
  const checkpoint = await newestCheckpoint(db, agentId);
  const rows = await readRecords(db, task_id, after, limit);
  const size = Number(checkpoint?.size ?? 0);
  const covered = rows.map(({ position }) => position).filter((position) => position < size);
  const proofs = after < size ? await thread.prove(task_id, size, covered) : [];
  const entries = rows.map(({ position, ...record }, index) => ({
    version: position + 1,
    record,
    proof: proofs[index] ?? null,
  }));
  return { task_id, checkpoint: checkpoint?.note ?? null, entries };
}

async function readRecords(
  db: Kysely<RegistryTables>,
  taskId: string,
  after: number,
  limit: number,
): Promise<StoredRecord[]> {
  const all = db
    .selectFrom("thoughts")
    .where("task_id", "=", taskId)
    .where("position", ">=", after)
    .orderBy("position");
  const sizes = await all.select(sql<number>`octet_length(content)`.as("bytes")).limit(limit).execute();
  const count = countFitting(sizes.map(({ bytes }) => Number(bytes) + RECORD_OVERHEAD));
  return count === 0 ? [] : all.selectAll().limit(count).execute();
}
