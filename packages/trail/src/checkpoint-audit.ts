import { computeAuthorCommitment } from "./author.ts";
import type { ChainProblem } from "./chain-report.ts";
import { MerkleTree } from "./merkle.ts";
import { checkTreeHead, type TreeHead } from "./tree-head.ts";

/** Compares a chain, record by record, with what checkpoints once stated of it. */
export class CheckpointAudit {
  readonly #pending: TreeHead[];
  readonly #records = new MerkleTree();
  readonly #authors: MerkleTree | undefined;
  readonly #problems: ChainProblem[] = [];
  #matched: number | null = null;

  constructor(checkpoints: readonly TreeHead[]) {
    for (const head of checkpoints) checkTreeHead(head);
    this.#pending = checkpoints.toSorted((a, b) => a.size - b.size);
    if (checkpoints.some(({ authorRootHash }) => authorRootHash !== undefined)) this.#authors = new MerkleTree();
    this.#compare();
  }

  /** Number of leading records that a checkpoint vouches for; `null` where none matched. */
  get checkpointed(): number | null {
    return this.#matched;
  }

  append(record: { agent_id: string; hash: string }): void {
    if (this.#pending.length === 0) return;
    this.#records.append(record.hash);
    this.#authors?.append(computeAuthorCommitment(record));
    this.#compare();
  }

  /** The first record range that a checkpoint contradicts, and the tail that is missing. */
  finish(): readonly ChainProblem[] {
    const last = this.#pending.at(-1);
    if (last) {
      const index = this.#records.size;
      const message = `the chain ends after ${index} records, but a checkpoint covers ${last.size}: the end was cut off`;
      this.#problems.push({ kind: "truncated", index, message });
    }
    return this.#problems;
  }

  /** All checkpoints of one size, before any of them counts: their order must not matter. */
  #compare(): void {
    const { size } = this.#records;
    if (this.#pending[0]?.size !== size) return;
    const from = this.#matched ?? 0;
    const mismatches: string[] = [];
    while (this.#pending[0]?.size === size) {
      const path = this.#mismatch(this.#pending.shift() as TreeHead);
      if (path === undefined) this.#matched = size;
      else mismatches.push(path);
    }
    const path = mismatches.includes("") ? "" : mismatches[0];
    if (path !== undefined && this.#problems.length === 0) this.#reject(from, size, path);
  }

  #mismatch(head: TreeHead): string | undefined {
    if (head.rootHash !== this.#records.rootHash()) return "";
    const { authorRootHash } = head;
    return authorRootHash === undefined || authorRootHash === this.#authors?.rootHash() ? undefined : "/agent_id";
  }

  #reject(from: number, size: number, path: string): void {
    this.#problems.push({ kind: "rewritten", index: from, path, message: this.#contradiction(from, size, path) });
  }

  #contradiction(from: number, size: number, path: string): string {
    if (size === 0) return "the checkpoint of size 0 does not have the root of no records";
    if (path === "" && this.#matched === size) {
      return `two checkpoints of size ${size} contradict each other; the records are those of one of them`;
    }
    const what = path === "" ? "records" : "authors of records";
    return `${what} ${from} to ${size - 1} are not those that the checkpoint of size ${size} covers`;
  }
}
