import type { Progress, Source } from "./job.ts";

/** The most bytes that a tool reads at once: the default limit of `parseJson`. */
const MAX_BYTES = 16 * 2 ** 20;

/** The error for a document that is larger than a tool can read at once. */
class SourceError extends Error {
  override readonly name = "SourceError";
  readonly code = "too-large";
}

/**
 * Returns the typed text or the file's bytes; refuses a file that is too large before reading it.
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

/** The number of bytes read from a file at once: few enough for steady progress, enough that reading costs little. */
export const PIECE_BYTES: number = 2 ** 20;

/**
 * Yields a file's bytes in pieces, each of which is read while the previous one is processed. Reports how many bytes
 * have been read.
 */
export async function* piecesOf(
  source: Blob,
  onProgress: (progress: Progress) => void,
): AsyncGenerator<Uint8Array, void> {
  const read = (from: number): Promise<ArrayBuffer> => source.slice(from, from + PIECE_BYTES).arrayBuffer();
  let next = read(0);
  for (let done = 0; done < source.size; done += PIECE_BYTES) {
    const piece = new Uint8Array(await next);
    next = read(done + PIECE_BYTES);
    // If the reader stops, nobody awaits this promise; a failed read is reported when the next piece is requested.
    next.catch(() => {});
    yield piece;
    onProgress({ done: done + piece.length, total: source.size });
  }
}
