import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder with the folders above it; one that is there stays as it is. The recursive `mkdir` of Node never ends where
 * the system refuses a folder below one that is there, as `/proc` does.
 *
 * @param mode The permissions of the folders that are made; without it, those that the process gives
 * @throws The error of the system, such as `ENOENT`, `EACCES` or `EEXIST`, where it cannot be made or is no folder
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (await isFolder(folder)) return;
    const above = dirname(folder);
    const isRefused = (error as NodeJS.ErrnoException).code !== "ENOENT" || above === folder;
    if (isRefused || (await isFolder(above))) throw error;
    await makeFolder(above, mode);
    await makeFolder(folder, mode);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
