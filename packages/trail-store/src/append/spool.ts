import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TrailStoreError } from "../errors.ts";

/** A temporary file for bytes, which only this user can read. */
export interface Spool {
  readonly write: (chunk: Uint8Array) => Promise<void>;
  /** Yields all bytes from the beginning in pieces, each of which overwrites the previous one. */
  readonly read: () => AsyncGenerator<Uint8Array, void>;
}

/**
 * Runs `use` with an empty spool and deletes it afterwards.
 *
 * @throws {@link TrailStoreError} `disk-full` when the temporary folder has no room, `unavailable` when the file cannot be
 * written or read for another reason.
 */
export async function withSpool<T>(use: (spool: Spool) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "trail-import-")).catch(refuse);
  try {
    const file = await open(join(folder, "spool"), "wx+", 0o600).catch(refuse);
    try {
      return await use({
        write: (chunk) => file.writeFile(chunk).catch(refuse),
        read: () => readFrom(file),
      });
    } finally {
      await file.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* readFrom(file: Awaited<ReturnType<typeof open>>): AsyncGenerator<Uint8Array, void> {
  const buffer = new Uint8Array(256 * 1024);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position).catch(refuse);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

function refuse(cause: unknown): never {
  const code = (cause as { code?: unknown }).code;
  const isFull = code === "ENOSPC" || code === "EDQUOT";
  const message = `the input of an import cannot be stored temporarily in ${tmpdir()}: ${(cause as Error).message}`;
  throw new TrailStoreError(isFull ? "disk-full" : "unavailable", message, { cause });
}
