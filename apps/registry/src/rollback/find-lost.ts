import { parseCheckpoint, parseNote, TreeHeadBuilder } from "@agentprint/trail/checkpoint";
import { type Kysely, sql } from "kysely";
import type { KeptHead } from "../elsewhere/kept-notes.ts";
import type { RegistryTables } from "../store/schema.ts";
import { taskOf } from "../trail/change-record.ts";

/** A checkpoint kept elsewhere that the database does not have. */
export interface LostHead extends KeptHead {
  /** The number of records in the database. */
  readonly length: number;
}

/** Returns the heads whose records are missing or replaced in the database, without those whose loss was accepted. */
export async function findLost(db: Kysely<RegistryTables>, heads: readonly KeptHead[]): Promise<LostHead[]> {
  const accepted = new Set((await db.selectFrom("lost_heads").select("note").execute()).map(({ note }) => note));
  const lost: LostHead[] = [];
  for (const head of heads) {
    if (accepted.has(head.note)) continue;
    const length = await lengthOf(db, taskOf(head.agentId));
    if (length < head.size || !(await hasRoot(db, head))) lost.push({ ...head, length });
  }
  return lost;
}

/** Returns the number of records in a task. */
export async function lengthOf(db: Kysely<RegistryTables>, taskId: string): Promise<number> {
  const last = await db
    .selectFrom("thoughts")
    .select("position")
    .where("task_id", "=", taskId)
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();
  return last ? Number(last.position) + 1 : 0;
}

/**
 * Returns whether a chain begins with the records that a checkpoint covers. If the database also has the checkpoint,
 * the chain need not be read.
 */
async function hasRoot(db: Kysely<RegistryTables>, { agentId, size, rootHash }: KeptHead): Promise<boolean> {
  const task = taskOf(agentId);
  const stored = await db
    .selectFrom("checkpoints")
    .select("note")
    .where("task_id", "=", task)
    .where(sql<boolean>`size = ${size}`)
    .execute();
  if (stored.some(({ note }) => parseCheckpoint(parseNote(note).text).rootHash === rootHash)) return true;
  const builder = new TreeHeadBuilder();
  const rows = await db
    .selectFrom("thoughts")
    .select("hash")
    .where("task_id", "=", task)
    .where("position", "<", size)
    .orderBy("position")
    .execute();
  for (const { hash } of rows) builder.append({ hash } as Parameters<TreeHeadBuilder["append"]>[0]);
  return builder.treeHead().rootHash === rootHash;
}
