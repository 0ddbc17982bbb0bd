import type { FileHandle } from "node:fs/promises";

const CHUNK_BYTES = 64 * 1024;

/** The bytes of an open file from its position on. A stream of Node takes longer to set up than a small file takes to be read. */
export async function* readChunks(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES));
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}
