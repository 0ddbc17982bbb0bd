import { ProofTree } from "@agentprint/trail/checkpoint";
import type { Kysely } from "kysely";
import { LRUCache } from "lru-cache";
import { RegistryError } from "../errors.ts";
import type { RegistryTables } from "../store/schema.ts";

/** Records whose trees are kept: each takes about 200 bytes. */
const MAX_KEPT_RECORDS = 500_000;

/** The trees of signed checkpoints, which are kept: anybody may ask for proofs, and making a tree takes a pass over a whole chain. */
export class ProofTrees {
  readonly #kept = new LRUCache<string, ProofTree>({ maxSize: MAX_KEPT_RECORDS });

  /**
   * The tree over the first `size` records of a task.
   *
   * @throws {@link RegistryError} `CORRUPT` when records are missing.
   */
  async treeOf(db: Kysely<RegistryTables>, taskId: string, size: number): Promise<ProofTree> {
    const key = `${size} ${taskId}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const rows = await db
      .selectFrom("thoughts")
      .select("hash")
      .where("task_id", "=", taskId)
      .where("position", "<", size)
      .orderBy("position")
      .execute();
    checkRecords(taskId, size, rows.length);
    const tree = new ProofTree(rows.map(({ hash }) => hash));
    this.#kept.set(key, tree, { size: Math.max(1, size) });
    return tree;
  }
}

/**
 * Checks that the records of a checkpoint are there.
 *
 * @throws {@link RegistryError} `CORRUPT`.
 */
export function checkRecords(taskId: string, expected: number, found: number): void {
  if (found >= expected) return;
  const message = `a checkpoint of ${taskId} has ${expected} records, and the trail only ${found}: records were cut off`;
  throw new RegistryError("CORRUPT", message);
}
