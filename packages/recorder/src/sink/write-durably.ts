import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Writes all of `bytes` at `position` in one system call, or fails. A writer that continues with a second call may have
 * been suspended in between, and another process may have removed the first part.
 */
export async function writeAtOnce(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  const { bytesWritten } = await file.write(bytes, 0, bytes.length, position);
  if (bytesWritten === bytes.length) return;
  const message = `ENOSPC: there was room for ${bytesWritten} of ${bytes.length} bytes`;
  throw Object.assign(new Error(message), { code: "ENOSPC" });
}

/** Makes sure that the names in a folder survive a crash. */
export async function syncFolder(folder: string): Promise<void> {
  // On Windows, a folder cannot be opened, and its names do not need such a call.
  if (process.platform === "win32") return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Replaces the content of a file atomically. */
export async function replaceDurably(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.agentprint-${randomUUID()}`);
  try {
    const file = await open(temporary, "wx", 0o644);
    try {
      await file.writeFile(text);
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
