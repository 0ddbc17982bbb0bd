import { ProofTree } from "@agentprint/trail/checkpoint";
import type { Kysely } from "kysely";
import { LRUCache } from "lru-cache";
import { RegistryError } from "../errors.ts";
import type { RegistryTables } from "../store/schema.ts";

/** The most records whose trees are cached; each record takes about 200 bytes. */
const MAX_KEPT_RECORDS = 200_000;

/**
 * Caches the trees of signed checkpoints, because anyone may request proofs and building a tree takes a pass over the
 * complete chain.
 */
export class ProofTrees {
  readonly #kept = new LRUCache<string, ProofTree>({ maxSize: MAX_KEPT_RECORDS });

  /**
   * Returns the tree over a task's first `size` records.
   *
   * @throws {@link RegistryError} `CORRUPT` when records are missing.
   */
  async treeOf(db: Kysely<RegistryTables>, taskId: string, size: number): Promise<ProofTree> {
    const records = db.selectFrom("thoughts").where("task_id", "=", taskId).where("position", "<", size);
    const key = `${size} ${taskId}`;
    const kept = this.#kept.get(key);
    // Records may have been cut off since the tree was built.
    const last = await records
      .select("hash")
      .where("position", "=", size - 1)
      .executeTakeFirst();
    if (kept && last) return kept;
    const rows = last ? await records.select("hash").orderBy("position").execute() : [];
    if (rows.length < size) {
      const message = `the checkpoint of ${taskId} covers ${size} records, but the trail has fewer: records were cut off`;
      throw new RegistryError("CORRUPT", message);
    }
    const tree = new ProofTree(rows.map(({ hash }) => hash));
    this.#kept.set(key, tree, { size: Math.max(1, size) });
    return tree;
  }
}
