import type { Progress, Source } from "./job.ts";

/** The most that a tool reads at once: what `parseJson` accepts by default. */
const MAX_BYTES = 16 * 2 ** 20;

/** A document that is larger than a tool reads at once. */
class SourceError extends Error {
  override readonly name = "SourceError";
  readonly code = "too-large";
}

/**
 * The text that was typed, or the bytes of a file; a file that is too large is refused before it is read.
 *
 * @throws {SourceError} too-large when a file has more than 16 MiB
 */
export async function readSource(source: Source): Promise<string | Uint8Array> {
  if (typeof source === "string") return source;
  if (source.size > MAX_BYTES) {
    throw new SourceError(`expected a document of at most ${MAX_BYTES} bytes, received a file of ${source.size}`);
  }
  return new Uint8Array(await source.arrayBuffer());
}

/** Bytes that are read of a file at once: small enough for steady progress, and each piece takes time, however small it is. */
export const PIECE_BYTES: number = 2 * 2 ** 20;
/** Pieces that are being read while one is worked on. */
const PIECES_AHEAD = 2;

/** The bytes of a file in pieces, of which the next ones are read while one is worked on; tells how many were read. */
export async function* piecesOf(
  source: Blob,
  onProgress: (progress: Progress) => void,
): AsyncGenerator<Uint8Array, void> {
  const reading: Promise<ArrayBuffer>[] = [];
  const readAt = (from: number): void => {
    const piece = source.slice(from, from + PIECE_BYTES).arrayBuffer();
    // Whoever stops reading leaves this one behind; whether it can be read is told when it is asked for.
    piece.catch(() => {});
    reading.push(piece);
  };
  for (let piece = 0; piece < PIECES_AHEAD; piece++) readAt(piece * PIECE_BYTES);
  for (let done = 0; done < source.size; done += PIECE_BYTES) {
    const piece = new Uint8Array(await (reading.shift() as Promise<ArrayBuffer>));
    readAt(done + PIECES_AHEAD * PIECE_BYTES);
    yield piece;
    onProgress({ done: done + piece.length, total: source.size });
  }
}
