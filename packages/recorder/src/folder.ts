import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { checkArgument } from "./check-argument.ts";

/**
 * Creates a folder with the folders above it; an existing one is unchanged. The recursive `mkdir` of Node never ends if
 * the system refuses a folder below an existing one, as in `/proc`.
 *
 * @param mode The permissions of the created folders; by default, those of the process
 * @throws The error of the system, such as `ENOENT`, `EACCES` or `EEXIST`, if it cannot be created or is not a folder
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  checkArgument("folder", folder, "string");
  checkArgument("mode", mode, "number?");
  const refusal = await refusalOf(folder, mode);
  if (refusal === undefined) return;
  const above = dirname(folder);
  if (refusal.code !== "ENOENT" || above === folder) throw refusal;
  if (!(await isFolder(above))) await makeFolder(above, mode);
  // Also retried if the folder above now exists: another process may have created it meanwhile.
  const again = await refusalOf(folder, mode);
  if (again !== undefined) throw again;
}

/** Creates one folder; returns the error if it failed. */
async function refusalOf(folder: string, mode?: number): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(folder, { mode });
    return undefined;
  } catch (error) {
    return (await isFolder(folder)) ? undefined : (error as NodeJS.ErrnoException);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
