import { TrailError } from "./errors.ts";
import { isHash } from "./hex.ts";

/** What a checkpoint states of a chain. */
export interface TreeHead {
  /** Number of records. */
  readonly size: number;
  /** Root of the Merkle tree over their hashes, 64 lowercase hex digits. */
  readonly rootHash: string;
  /** Root of the Merkle tree over their author commitments, where the checkpoint protects authorship. */
  readonly authorRootHash?: string;
}

/**
 * Whether `head` is a tree head: a size and a root, or two.
 *
 * @throws `TrailError` `invalid-checkpoint` with the path of the field.
 */
export function checkTreeHead(head: TreeHead): void {
  const { size, rootHash, authorRootHash } = (head ?? {}) as Partial<TreeHead>;
  if (!Number.isSafeInteger(size) || Number(size) < 0) refuse("size", "a whole number of records");
  if (!isHash(rootHash)) refuse("rootHash", "64 lowercase hex digits");
  if (authorRootHash !== undefined && !isHash(authorRootHash)) refuse("authorRootHash", "64 lowercase hex digits");
}

function refuse(field: string, expected: string): never {
  const path = `/${field}`;
  throw new TrailError("invalid-checkpoint", `not a tree head: expected ${expected} at ${path}`, { path });
}
