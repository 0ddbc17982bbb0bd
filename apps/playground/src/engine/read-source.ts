import type { Source } from "./job.ts";

/** The most that a tool reads at once: what `parseJson` accepts by default. */
const MAX_BYTES = 16 * 2 ** 20;

/** A document that is larger than a tool reads at once. */
export class SourceError extends Error {
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
