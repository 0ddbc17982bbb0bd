/** The elements or members of an open container that were rewritten together. */
export interface RewrittenItems {
  /** Their canonical text, with the comma or the bracket behind the last, as a view of memory that is used again. */
  readonly text: Uint8Array;
  /** The bytes of the source that they take, up to the next one or behind the bracket. */
  readonly end: number;
  readonly count: number;
  readonly isClosed: boolean;
  /** The first and the last name of members, as the source has them. */
  readonly names: readonly [first: Uint8Array, last: Uint8Array] | undefined;
}
