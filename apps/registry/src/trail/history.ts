import type { ThoughtRecord } from "@agentprint/trail";
import type { InclusionProof } from "@agentprint/trail/checkpoint";
import type { Kysely } from "kysely";
import type { RegistryTables } from "../store/schema.ts";
import { taskOf } from "./change-record.ts";
import type { ProofTrees } from "./proof-trees.ts";

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
  trees: ProofTrees,
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
  const tree = after < size ? await trees.treeOf(db, task_id, size) : undefined;
  const entries = rows.map(({ position, ...record }) => ({
    version: position + 1,
    record,
    proof: tree && position < size ? tree.proofOf(position) : null,
  }));
  return { task_id, checkpoint: checkpoint?.note ?? null, entries };
}
