import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { TrailStoreError } from "../errors.ts";

export const IN_MEMORY = ":memory:";

/**
 * Returns the real path of the file to which `name` leads. SQLite keeps its log next to the real path, even if the file
 * is opened through a link.
 *
 * @throws {@link TrailStoreError} `unavailable` when the file has no such path or more than one.
 */
export function resolveStorePath(name: string): string {
  // The driver trims names before it compares them with its special names.
  if (name.trim() === IN_MEMORY) return IN_MEMORY;
  const path = resolvePath(resolve(name.trim()), name);
  if (path !== path.trim()) throw unavailable(name, "its real name ends with white space");
  const file = statSync(path, { throwIfNoEntry: false });
  if (file?.isDirectory()) throw unavailable(name, "it is a folder");
  const links = file?.nlink ?? 0;
  // The log is next to only one of the names, and cannot be found through the others.
  if (links > 1) throw unavailable(name, `it has ${links} names (hard links), and only one of them has its log`);
  return path;
}

function resolvePath(path: string, name: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ENOENT") throw unavailable(name, (error as Error).message);
  }
  // There is no file yet; its folder may be missing, too.
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
}

function unavailable(name: string, why: string): TrailStoreError {
  return new TrailStoreError("unavailable", `the file ${JSON.stringify(name)} cannot be used as a store: ${why}`);
}
