import { randomUUID } from "node:crypto";
import { type FileHandle, open, readlink, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { Context } from "../run/context.ts";
import { CliError, isMissing, reasonOf } from "../run/errors.ts";

/**
 * Replaces the content of a file atomically: even if this process is killed or the disk is full, the file has the old
 * content or the new one. A link is followed; a pipe or a device is written to.
 *
 * No library is used: write-file-atomic and atomically take an interrupted write for a complete one and rename the part
 * over the file, even over a device; fast-write-atomic then repeats the beginning, and loses the permissions.
 *
 * @param mode The permissions that the file has from its first byte on; by default those of the previous file
 * @throws {@link CliError} `unwritable-output` when the file cannot be written; and the error of `content` itself
 */
export async function replaceFile(
  context: Pick<Context, "pathOf">,
  file: string,
  content: string | AsyncIterable<Uint8Array>,
  mode?: number,
): Promise<void> {
  const path = context.pathOf(file);
  try {
    const before = await stat(path).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (before && !before.isFile()) await writeFile(path, content);
    else await renameOver(await followLinks(path), content, mode === undefined ? before : { mode });
  } catch (error) {
    if (typeof content !== "string" && !isSystemError(error)) throw error;
    throw new CliError("unwritable-output", `cannot write ${file}: ${reasonOf(error)}`, {
      expected: "a file that can be written, in a folder that can be written, and room for it",
      cause: error,
    });
  }
}

function isSystemError(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException).syscall === "string";
}

/** Returns the path of a file with all links resolved, unless they lead nowhere. */
export function realPathOf({ pathOf }: Pick<Context, "pathOf">, file: string): Promise<string> {
  const path = resolve(pathOf(file));
  return followLinks(path).catch(() => path);
}

/** Returns the path with all links resolved, even if the last one leads to nothing yet. */
export async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    const link = await readlink(path).catch(() => undefined);
    if (link === undefined) return path;
    // Not normalized, because the system resolves `..` after a link.
    return followLinks(isAbsolute(link) ? link : `${dirname(path)}/${link}`);
  }
}

/** The permissions of a file, and its owner and group if it replaces another file. */
interface Permissions {
  readonly mode: number;
  readonly uid?: number;
  readonly gid?: number;
}

async function renameOver(
  target: string,
  content: string | AsyncIterable<Uint8Array>,
  permissions: Permissions | undefined,
): Promise<void> {
  const temporary = join(dirname(target), `.agentprint-${randomUUID()}`);
  // The permissions for other readers take effect once the file has its group.
  const handle = await open(temporary, "wx", permissions && permissions.mode & 0o700);
  try {
    try {
      await handle.writeFile(content);
      if (permissions) await setPermissions(handle, permissions);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function setPermissions(handle: FileHandle, { mode, uid, gid }: Permissions): Promise<void> {
  if (uid === undefined || gid === undefined) return;
  // Only root may give a file away.
  await handle.chown(uid, gid).catch(() => undefined);
  const hasGroup = (await handle.stat()).gid === gid;
  await handle.chmod(hasGroup ? mode : mode & ~0o070);
}
