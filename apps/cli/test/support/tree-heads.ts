import { createThought } from "@agentprint/trail/chain";
import { MerkleTree, type TreeHead } from "@agentprint/trail/checkpoint";
import type { ThoughtRecord } from "@agentprint/trail/record";

/** Returns a chain of the given number of records of the task `t`. */
export function chainOf(length: number): ThoughtRecord[] {
  const records: ThoughtRecord[] = [];
  const fields = { type: "plan", task_id: "t", agent_id: "a", content: "c" } as const;
  for (let i = 0; i < length; i++) {
    records.push(createThought(fields, records.at(-1) ?? null, { now: "2026-01-01", id: String(i) }));
  }
  return records;
}

/** Returns the tree heads over the first records, from none of them to all. */
export function headsOf(records: readonly ThoughtRecord[]): TreeHead[] {
  const tree = new MerkleTree();
  const heads = [{ size: 0, rootHash: tree.rootHash() }];
  for (const { hash } of records) {
    tree.append(hash);
    heads.push({ size: tree.size, rootHash: tree.rootHash() });
  }
  return heads;
}
