import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes all of `bytes` at `position`; one call of the system may write only a part. */
export async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
  }
}

/** Makes the names in a folder survive a crash. */
export async function syncFolder(folder: string): Promise<void> {
  // On Windows a folder cannot be opened, and its names need no such call.
  if (process.platform === "win32") return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Replaces the content of a file as a whole. */
export async function replaceDurably(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.agentprint-${randomUUID()}`);
  try {
    const file = await open(temporary, "wx", 0o644);
    try {
      await writeAll(file, Buffer.from(text), 0);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}
