import { createHash } from "node:crypto";
import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ArtifactError } from "../errors.ts";
import { readObject, textAt } from "../json-file.ts";
import { hasWrittenDigests, writeDigests } from "./digested-folder.ts";
import { isUsedElsewhere, leaseFolder, nameOfWork } from "./folder-leases.ts";

/** The prefix of the names of folders whose installation is not complete. */
export const UNFINISHED = "unfinished-";
/** How many times a folder that is in the way is moved aside. */
const MAX_ROUNDS = 3;

/** Returns the folder name for packages: a digest of everything that determines its bytes. */
export function nameOfFolder(...deciding: readonly (Readonly<Record<string, string>> | readonly string[])[]): string {
  const sorted = deciding.map((part) => (Array.isArray(part) ? part.toSorted() : Object.entries(part).sort()));
  const text = JSON.stringify([process.platform, process.arch, ...sorted]);
  return createHash("sha256").update(text).digest("hex").slice(0, 40);
}

/** A folder that holds exactly the installed files. */
export interface KeptFolder {
  readonly folder: string;
  /** Whether this call installed it. */
  readonly isNew: boolean;
}

/** Returns whether a folder has exactly the installed files and can be used; `undefined` if it does not exist. */
type IsWhole = (folder: string) => Promise<boolean | undefined>;

/**
 * Returns a folder of a store that contains the installed files. If this folder does not exist, or one of its files
 * differs, everything is installed into another folder, which is renamed when it is complete, so that a name never
 * leads to a partial installation, even if this process is killed. A damaged folder that another process uses is kept,
 * and the new folder gets another name.
 *
 * @param name The name of the folder; absent if it is known only after the installation
 * @param install Installs into an empty folder, and returns the name that the folder gets
 * @param canBeUsed Returns whether a folder with all of its files can be used
 * @throws {@link ArtifactError} `unreadable` if nothing can be written, or the folder belongs to another user; also
 * whatever `install` throws
 */
export async function keepFolder(
  store: string,
  name: string | undefined,
  install: (folder: string) => Promise<string>,
  canBeUsed: (folder: string) => Promise<boolean> = async () => true,
): Promise<KeptFolder> {
  const isWhole: IsWhole = async (folder) => (await hasWrittenDigests(folder)) && (await canBeUsed(folder));
  let made: string | undefined;
  try {
    const kept = name === undefined ? undefined : await findWhole(store, name, isWhole);
    if (kept !== undefined) return { folder: kept, isNew: false };
    made = await mkdtemp(join(store, nameOfWork(UNFINISHED)));
    const named = await install(made);
    await writeDigests(made);
    return { folder: await place(made, store, named, isWhole), isNew: true };
  } catch (error) {
    if (error instanceof ArtifactError || !(error instanceof Error) || !("code" in error)) throw error;
    const why = error.code === "ENOSPC" || error.code === "EDQUOT" ? "the disk is full" : error.message;
    throw new ArtifactError("unreadable", `nothing can be installed into ${store}: ${why}`, error);
  } finally {
    if (made !== undefined) await rm(made, { recursive: true, force: true });
  }
}

/**
 * Returns the intact folder with the given name, or with an alternative name that was chosen because a process used the
 * folder with the previous name.
 */
async function findWhole(store: string, name: string, isWhole: IsWhole): Promise<string | undefined> {
  const folder = join(store, name);
  leaseFolder(store, name);
  const found = await isWhole(folder);
  if (found === true) return folder;
  const isInUse = found === false && (await isUsedElsewhere(store, name));
  return isInUse ? findWhole(store, nameOfFolder([name]), isWhole) : undefined;
}

/** Returns the folders in a store that hold a version of a package. */
export async function findKept(store: string, name: string, version: string): Promise<string[]> {
  const folders = (await readdir(store).catch(() => [])).filter((each) => !each.startsWith(UNFINISHED));
  const found = folders.map(async (each): Promise<string[]> => {
    const folder = join(store, each, "node_modules", name);
    const manifest = await readObject(join(folder, "package.json"));
    return manifest && textAt(manifest, "version") === version ? [folder] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Gives a complete folder its final name, unless another process was first, and returns the folder with this name. */
async function place(made: string, store: string, name: string, isWhole: IsWhole): Promise<string> {
  const folder = join(store, name);
  leaseFolder(store, name);
  for (let round = 1; ; round++) {
    try {
      await rename(made, folder);
      return folder;
    } catch (error) {
      if (await isWhole(folder)) return folder;
      if (round === MAX_ROUNDS) throw error;
    }
    if (await isUsedElsewhere(store, name)) return place(made, store, nameOfFolder([name]), isWhole);
    const aside = `${made}${round}`;
    // If another process was faster, the name is free now.
    await rename(folder, aside).catch(() => undefined);
    await rm(aside, { recursive: true, force: true });
  }
}
