import { fstatSync, readSync } from "node:fs";
import type { FilePart } from "./worker-protocol.ts";

const LINE_FEED = 0x0a;
const CHUNK_BYTES = 256 * 1024;

/**
 * Cuts an open file at line ends into `count` parts of about the same size.
 *
 * @param file - The descriptor of a regular file.
 */
export function cutIntoParts(file: number, count: number): readonly FilePart[] {
  const { size } = fstatSync(file);
  const starts = [0];
  for (let part = 1; part < count; part++) starts.push(lineStart(file, Math.floor((size * part) / count)));
  // The file may grow.
  return starts.map((from, index) => ({ file, from, to: starts[index + 1] ?? Number.MAX_SAFE_INTEGER }));
}

/** Returns the position of the first line that starts at `from` or later; the end of the file if none does. */
function lineStart(file: number, from: number): number {
  if (from === 0) return 0;
  let at = from - 1;
  for (const chunk of readPart({ file, from: at, to: Number.MAX_SAFE_INTEGER })) {
    const feed = chunk.indexOf(LINE_FEED);
    if (feed >= 0) return at + feed + 1;
    at += chunk.length;
  }
  return at;
}

/**
 * Yields the bytes of a part, in a buffer that is reused. A thread that does nothing else reads synchronously, which
 * takes less time.
 */
export function* readPart({ file, from, to }: FilePart): Generator<Buffer, void> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let at = from; at < to; ) {
    const length = readSync(file, buffer, 0, Math.min(buffer.length, to - at), at);
    if (length === 0) return;
    yield buffer.subarray(0, length);
    at += length;
  }
}
