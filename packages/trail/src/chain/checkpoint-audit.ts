import { checkTreeHead, type RangeHead, type TreeHead, TreeHeadBuilder } from "../checkpoint/tree-head.ts";
import type { AuthorFields } from "../record/digest.ts";
import type { ChainProblem } from "./problem-log.ts";

/** Compares a chain, record by record, with the tree heads that earlier checkpoints state for it. */
export class CheckpointAudit {
  readonly #authors: boolean;
  #pending: TreeHead[];
  #builder: TreeHeadBuilder;
  readonly #problems: ChainProblem[] = [];
  #matched: number | null = null;

  constructor(checkpoints: readonly TreeHead[]) {
    for (const head of checkpoints) checkTreeHead(head);
    this.#pending = checkpoints.toSorted((a, b) => a.size - b.size);
    this.#authors = checkpoints.some((head) => head.authorRootHash !== undefined);
    this.#builder = new TreeHeadBuilder({ authors: this.#authors });
    this.#compare();
  }

  /**
   * Begins after the dropped records of a checkpoint, if the last of them has `lastHash`. Checkpoints of fewer records
   * are left out, because nothing is left to compare with them.
   *
   * @returns the checkpoint; `undefined` if no checkpoint has such a range
   */
  beginBehind(lastHash: string): RangeHead | undefined {
    const behind = this.#pending.find((head): head is RangeHead => head.range?.lastHash === lastHash);
    if (behind === undefined) return undefined;
    this.#pending = this.#pending.filter(({ size }) => size >= behind.size);
    this.#builder = new TreeHeadBuilder({ authors: this.#authors, behind });
    this.#compare();
    return behind;
  }

  /** Number of leading records that match a checkpoint; `null` if none matched. */
  get checkpointed(): number | null {
    return this.#matched;
  }

  append(record: AuthorFields): void {
    if (this.#pending.length === 0) return;
    this.#builder.append(record);
    this.#compare();
  }

  /** Returns the first range of records that contradicts a checkpoint, and the finding that the end was cut off. */
  finish(): readonly ChainProblem[] {
    const last = this.#pending.at(-1);
    if (last) {
      const index = this.#builder.size;
      const message = `the chain ends after ${index} records, but a checkpoint covers ${last.size}: the end was cut off`;
      this.#problems.push({ kind: "truncated", index, message });
    }
    return this.#problems;
  }

  /**
   * Compares all checkpoints of the current size before it reports any of them, because their order must not matter.
   */
  #compare(): void {
    const { size } = this.#builder;
    if (this.#pending[0]?.size !== size) return;
    const actual = this.#builder.treeHead();
    const from = this.#matched ?? 0;
    const mismatches: string[] = [];
    while (this.#pending[0]?.size === size) {
      const path = mismatch(this.#pending.shift() as TreeHead, actual);
      if (path === undefined) this.#matched = size;
      else mismatches.push(path);
    }
    const path = mismatches.includes("") ? "" : mismatches[0];
    if (path !== undefined && this.#problems.length === 0) this.#reject(from, size, path);
  }

  #reject(from: number, size: number, path: string): void {
    this.#problems.push({ kind: "rewritten", index: from, path, message: this.#contradiction(from, size, path) });
  }

  #contradiction(from: number, size: number, path: string): string {
    if (size === 0) return "the checkpoint of size 0 does not have the root of an empty chain";
    if (path === "" && this.#matched === size) {
      return `two checkpoints of size ${size} contradict each other; the records match one of them`;
    }
    const what = path === "" ? "records" : "authors of records";
    return `${what} ${from} to ${size - 1} differ from those that the checkpoint of size ${size} covers`;
  }
}

/**
 * Returns the path of the part that `stated` contradicts: `""` for the records, `/agent_id` for their authors,
 * `undefined` for nothing.
 */
function mismatch(stated: TreeHead, actual: TreeHead): "" | "/agent_id" | undefined {
  if (stated.rootHash !== actual.rootHash) return "";
  const { authorRootHash } = stated;
  return authorRootHash === undefined || authorRootHash === actual.authorRootHash ? undefined : "/agent_id";
}
