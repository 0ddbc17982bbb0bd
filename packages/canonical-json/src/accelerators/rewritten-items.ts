/** Elements or members of an open container that were rewritten together. */
export interface RewrittenItems {
  /** Their canonical text, with the comma or the bracket after the last one, as a view of memory that is reused. */
  readonly text: Uint8Array;
  /** Their bytes in the source, up to the next one or past the bracket. */
  readonly end: number;
  readonly count: number;
  readonly isClosed: boolean;
  /** The first and the last member name, as written in the source. */
  readonly names: readonly [first: Uint8Array, last: Uint8Array] | undefined;
}
