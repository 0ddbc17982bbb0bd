import { existsSync, lstatSync, mkdirSync } from "node:fs";
import module from "node:module";
import { dirname, posix, win32 } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Permission bits that let the group or everyone write to a folder. */
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Lets Node keep the compiled form of every module that is loaded from now on in the user's cache folder, so that the next
 * run does not compile it again. The command works without a cache if no folder can be used, and with Node before
 * 22.1, which has none.
 */
export function enableCompileCache(env: Environment): void {
  // Node itself has used or refused a folder that the user named.
  if (env["NODE_COMPILE_CACHE"] || env["NODE_DISABLE_COMPILE_CACHE"]) return;
  if (typeof module.enableCompileCache !== "function") return;
  const folder = compileCacheFolder(env, process.platform);
  if (folder !== undefined && isPrivateFolder(folder, process.getuid?.())) module.enableCompileCache(folder);
}

/** Returns the cache folder inside the system's folder for caches; `undefined` if the user has no such folder. */
export function compileCacheFolder(env: Environment, platform: NodeJS.Platform): string | undefined {
  const { HOME = "", LOCALAPPDATA = "", XDG_CACHE_HOME = "" } = env;
  if (platform === "win32") return folderIn(win32, LOCALAPPDATA);
  // The XDG Base Directory Specification requires that a relative path be ignored.
  const home = platform === "darwin" ? ["Library", "Caches"] : [".cache"];
  return folderIn(posix, XDG_CACHE_HOME) ?? folderIn(posix, HOME, ...home);
}

function folderIn({ isAbsolute, join }: typeof posix, root: string, ...names: readonly string[]): string | undefined {
  return isAbsolute(root) ? join(root, ...names, "agentprint") : undefined;
}

/**
 * Returns whether a folder belongs to the user, and nobody else can write to it, because Node runs the code that it
 * finds in a compile cache. The folder and its parent are created if they are missing.
 *
 * @param user The number of the user; absent on Windows, where the folder has the permissions of the user's profile
 */
export function isPrivateFolder(folder: string, user: number | undefined): boolean {
  try {
    // The option `recursive` is not used: it never returns if the system reports that an existing folder is missing, as
    // it does in /proc.
    for (const made of [dirname(folder), folder]) if (!existsSync(made)) mkdirSync(made, { mode: 0o700 });
    const found = lstatSync(folder);
    if (!found.isDirectory()) return false;
    return user === undefined || (found.uid === user && (found.mode & WRITABLE_BY_OTHERS) === 0);
  } catch {
    return false;
  }
}
