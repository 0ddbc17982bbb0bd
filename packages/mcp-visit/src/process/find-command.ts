import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/**
 * Returns the system error of a command that cannot be run (`ENOENT`, `EACCES`), or `undefined` if it can be run. The
 * shell that starts a server would report such an error only on stderr.
 */
export function whyNotRunnable(command: string, path: string, cwd: string): "ENOENT" | "EACCES" | undefined {
  const places = command.includes("/")
    ? [resolve(cwd, command)]
    : path.split(delimiter).map((folder) => join(isAbsolute(folder) ? folder : resolve(cwd, folder), command));
  const found = places.map((place) => ({ place, kind: kindOf(place) }));
  if (found.some(({ place, kind }) => kind === "file" && isExecutable(place))) return undefined;
  return found.some(({ kind }) => kind === "file" || kind === "hidden") ? "EACCES" : "ENOENT";
}

/** Returns the kind of file that a path leads to; `hidden` means that it is in a folder that may not be entered. */
export function kindOf(path: string): "file" | "folder" | "other" | "hidden" | undefined {
  try {
    const found = statSync(path);
    return found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EACCES" ? "hidden" : undefined;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
