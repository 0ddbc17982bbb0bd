import { constants } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import { SkillsError, unreadable } from "./errors.ts";

/**
 * Returns the real path of a file or folder, with links followed.
 *
 * @param root The real path of the folder that it has to stay in.
 * @param shown The path for readers.
 * @throws {@link SkillsError} `outside` when a link leads out of the folder, `unreadable` when there is no such path.
 */
export async function realInside(root: string, path: string, shown: string): Promise<string> {
  const real = await realpath(path).catch((error: unknown) => {
    throw unreadable(shown, error);
  });
  const way = relative(root, real);
  if (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return real;
  throw new SkillsError("outside", shown, "is or has a symbolic link that leaves the folder");
}

/** Returns whether anything exists at a path, even a dangling link. */
export async function isThere(path: string, shown: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw unreadable(shown, error);
  }
}

/**
 * Returns the bytes of a regular file inside a folder.
 *
 * @param most The longest file, in bytes.
 * @throws {@link SkillsError} `outside`, `not-a-file`, `too-large` or `unreadable`.
 */
export async function readInside(root: string, path: string, shown: string, most: number): Promise<Uint8Array> {
  const real = await realInside(root, path, shown);
  let handle: FileHandle | undefined;
  try {
    // Without O_NONBLOCK, a pipe without a writer would block forever.
    handle = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    if (!(await handle.stat()).isFile()) throw new SkillsError("not-a-file", shown, "is not a regular file");
    return await readAtMost(handle, shown, most);
  } catch (error) {
    throw unreadable(shown, error);
  } finally {
    await handle?.close();
  }
}

async function readAtMost(handle: FileHandle, shown: string, most: number): Promise<Uint8Array> {
  const { size } = await handle.stat();
  if (size > most) throw new SkillsError("too-large", shown, `has more than ${most} bytes`);
  // One byte more than the file had, to notice a file that grows while it is read.
  const buffer = new Uint8Array(size + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
    length += bytesRead;
    if (length > size) throw new SkillsError("unreadable", shown, "grew while it was read");
    if (bytesRead === 0) return buffer.subarray(0, length);
  }
}
