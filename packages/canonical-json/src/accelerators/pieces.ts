import { sliceWithoutSplittingSurrogates } from "../text/slice-without-splitting-surrogates.ts";

/** The UTF-16 code units in a piece. Its UTF-8 fits into an eighth of the first buffer. */
export const MAX_PIECE_LENGTH: number = 16 * 1024;

/**
 * Yields a long text in pieces that split no surrogate pair, so that hashing holds the UTF-8 of only one piece at a
 * time.
 *
 * Reduces the memory for digests (bar: 12 MB above the value itself). Without it, the buffer grows to three bytes per
 * UTF-16 code unit of the longest string: 192 MB for a string of 64 MB.
 */
export function* pieces(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const piece = sliceWithoutSplittingSurrogates(text, from, from + MAX_PIECE_LENGTH);
    yield piece;
    from += piece.length;
  }
}
