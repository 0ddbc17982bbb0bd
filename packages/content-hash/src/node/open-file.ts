import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, stat } from "node:fs/promises";
import { ContentHashError } from "../errors.ts";

/** How a path that is a symbolic link is treated. */
export type SymlinkPolicy = "follow" | "refuse";

/** Opens a regular file for reading; refuses everything else, before and after opening. */
export async function openFile(path: string, symlinks: SymlinkPolicy): Promise<FileHandle> {
  const follow = symlinks === "follow";
  // Without O_NONBLOCK, a FIFO without a writer would block forever.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (follow ? 0 : (constants.O_NOFOLLOW ?? 0));
  let handle: FileHandle | undefined;
  try {
    // The first check keeps a device from being opened; the second one detects a file that was replaced in between.
    checkRegular(path, await (follow ? stat(path) : lstat(path)));
    handle = await open(path, flags);
    checkRegular(path, await handle.stat());
    return handle;
  } catch (error) {
    await handle?.close();
    throw toContentHashError(path, error);
  }
}

/** Returns the coded error for an exception thrown while reading a file. */
export function toContentHashError(path: string, error: unknown): ContentHashError {
  if (error instanceof ContentHashError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") {
    return new ContentHashError("NOT_FOUND", `${quote(path)} does not exist`, { cause: error });
  }
  return new ContentHashError("READ_FAILED", `${quote(path)} cannot be read: ${code ?? message}`, { cause: error });
}

export function quote(path: string): string {
  return JSON.stringify(path);
}

function checkRegular(path: string, stats: Stats): void {
  if (stats.isFile()) return;
  if (stats.isSymbolicLink()) {
    throw new ContentHashError("SYMBOLIC_LINK", `${quote(path)} is a symbolic link, and links are refused`);
  }
  throw new ContentHashError("NOT_A_FILE", `${quote(path)} must be a regular file; it is a ${kindOf(stats)}`);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "directory";
  if (stats.isFIFO()) return "FIFO";
  return stats.isSocket() ? "socket" : "device";
}
