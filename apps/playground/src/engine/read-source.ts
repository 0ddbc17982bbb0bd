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

/** The bytes of a file in pieces; tells how many were read, some times a second. */
export async function* piecesOf(
  source: Blob,
  onProgress: (progress: Progress) => void,
): AsyncGenerator<Uint8Array, void> {
  const reader = source.stream().getReader();
  let done = 0;
  let told = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    yield read.value;
    done += read.value.length;
    if (performance.now() - told < PROGRESS_MS) continue;
    told = performance.now();
    onProgress({ done, total: source.size });
  }
}

/** Milliseconds between two signs of progress. */
const PROGRESS_MS = 50;
