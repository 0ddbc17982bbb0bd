/**
 * The maximum number of UTF-16 code units that an expression reads in one run, because a repeated class keeps its
 * backtracking positions on a stack of fixed size.
 */
const LENGTH = 262_144;
/** The overlap of two pieces, so that no name is cut. */
const OVERLAP = 1000;

/** Returns a text in pieces that every expression can read. Most texts are a single piece. */
export function piecesOf(text: string): string[] {
  const count = Math.max(1, Math.ceil(text.length / LENGTH));
  return Array.from({ length: count }, (_, index) => text.slice(index * LENGTH, (index + 1) * LENGTH + OVERLAP));
}
