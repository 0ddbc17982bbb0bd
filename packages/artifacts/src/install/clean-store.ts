import { lstat, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Launch, type LockedArtifact, readInstallable } from "@agentprint/launch";
import { ArtifactError } from "../errors.ts";
import { leasedFolders, mayRun, nameOfWork } from "./folder-leases.ts";
import { UNFINISHED } from "./kept-folders.ts";
import { nameOf } from "./prepare-launch.ts";
import { nameOfPython } from "./prepare-python.ts";

/** A launch in a lock, with its locked artifacts. */
export interface LockedLaunch {
  readonly launch: Launch;
  readonly artifacts: readonly LockedArtifact[];
}

/** A folder of a store that was examined, with its path. */
export interface CleanedFolder {
  readonly folder: string;
  readonly state: "removed" | "in use";
}

/**
 * Removes the folders of a store that no locked launch starts, and the remains of interrupted installations. Keeps
 * folders that a process may use, files that this package did not write, links, and folders of another user.
 *
 * @param locked All launches in all locks
 * @returns The removed folders, and those that no lock names but a process uses
 * @throws {@link ArtifactError} `unreadable` if a folder cannot be removed
 */
export async function cleanStore(store: string, locked: readonly LockedLaunch[]): Promise<readonly CleanedFolder[]> {
  const named = new Set(locked.map(folderOf));
  const cleaned: CleanedFolder[] = [];
  try {
    for (const name of (await readdir(store)).sort()) {
      const folder = join(store, name);
      if (named.has(name) || !(await isOwn(folder, name))) continue;
      const isRemoved = name.startsWith(UNFINISHED) ? await removeWork(folder, name) : await removeKept(store, name);
      cleaned.push({ folder, state: isRemoved ? "removed" : "in use" });
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return cleaned;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ArtifactError("unreadable", `${store} cannot be cleaned: ${reason}`, error);
  }
  return cleaned;
}

/** Returns the name of a launch's folder. */
function folderOf({ launch, artifacts }: LockedLaunch): string {
  const installable = readInstallable(launch);
  return installable?.kind === "python"
    ? nameOfPython(installable, artifacts)
    : nameOf(artifacts.filter(({ kind }) => kind === "npm"));
}

/** Returns whether a folder belongs to the user and was created by this package. */
async function isOwn(folder: string, name: string): Promise<boolean> {
  if (!/^[0-9a-f]{40}$/.test(name) && !name.startsWith(UNFINISHED)) return false;
  const found = await lstat(folder);
  return found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid());
}

async function removeWork(folder: string, name: string): Promise<boolean> {
  const owner = /^(.+)-[^-]+$/.exec(name.slice(UNFINISHED.length))?.[1];
  if (owner === undefined || mayRun(owner)) return false;
  await rm(folder, { recursive: true, force: true });
  return true;
}

/**
 * Removes the name first: a process notes its use before it reads a folder, so a process that found the folder under
 * this name has noted its use by then.
 */
async function removeKept(store: string, name: string): Promise<boolean> {
  if ((await leasedFolders(store)).has(name)) return false;
  const [folder, aside] = [join(store, name), join(store, `${nameOfWork(UNFINISHED)}${name.slice(0, 6)}`)];
  await rename(folder, aside);
  if ((await leasedFolders(store)).has(name)) {
    const isBack = await rename(aside, folder).then(
      () => true,
      // Another process has installed the packages again.
      () => false,
    );
    if (isBack) return false;
  }
  await rm(aside, { recursive: true, force: true });
  return true;
}
