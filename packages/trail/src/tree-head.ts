/** What a checkpoint states of a chain. */
export interface TreeHead {
  /** Number of records. */
  readonly size: number;
  /** Root of the Merkle tree over their hashes, 64 lowercase hex digits. */
  readonly rootHash: string;
  /** Root of the Merkle tree over their author commitments, where the checkpoint protects authorship. */
  readonly authorRootHash?: string;
}
