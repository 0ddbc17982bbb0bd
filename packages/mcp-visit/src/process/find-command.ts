import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/**
 * Returns the system error of a command that cannot be run (`ENOENT`, `EACCES`), or `undefined` when it can. The shell
 * that starts a server would only say so on stderr.
 */
export function whyNotRunnable(command: string, path: string, cwd: string): "ENOENT" | "EACCES" | undefined {
  const places = command.includes("/")
    ? [resolve(cwd, command)]
    : path.split(delimiter).map((folder) => join(isAbsolute(folder) ? folder : resolve(cwd, folder), command));
  const found = places.filter(isFile);
  if (found.length === 0) return "ENOENT";
  return found.some(isExecutable) ? undefined : "EACCES";
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
