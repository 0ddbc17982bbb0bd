import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { checkArgument } from "./check-argument.ts";

/**
 * Creates a folder and its parents; an existing folder is left unchanged. Node's recursive `mkdir` never ends if the
 * system refuses to create a folder inside an existing one, as in `/proc`.
 *
 * @param mode The permissions of the created folders; by default, the process's
 * @throws The system's error, such as `ENOENT`, `EACCES` or `EEXIST`, if the folder cannot be created, or the path is
 * not a folder
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  checkArgument("folder", folder, "string");
  checkArgument("mode", mode, "number?");
  const refusal = await refusalOf(folder, mode);
  if (refusal === undefined) return;
  const above = dirname(folder);
  if (refusal.code !== "ENOENT" || above === folder) throw refusal;
  if (!(await isFolder(above))) await makeFolder(above, mode);
  // This is also tried again if the parent folder now exists, because another process may have created it in the
  // meantime.
  const again = await refusalOf(folder, mode);
  if (again !== undefined) throw again;
}

/** Creates one folder; returns the error if this failed. */
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
