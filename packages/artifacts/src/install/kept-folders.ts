import { createHash } from "node:crypto";
import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ArtifactError } from "../errors.ts";
import { readObject, textAt } from "../json-file.ts";
import { hasWrittenDigests, writeDigests } from "./digested-folder.ts";
import { leaseFolder, nameOfWork } from "./folder-leases.ts";

/** The beginning of the names of folders whose installation has not ended. */
export const UNFINISHED = "unfinished-";
/** How often a folder in the way is put aside. */
const MAX_ROUNDS = 3;

/** Returns the name of the folder for packages: a digest of what decides which bytes are in it. */
export function nameOfFolder(...deciding: readonly (Readonly<Record<string, string>> | readonly string[])[]): string {
  const sorted = deciding.map((part) => (Array.isArray(part) ? part.toSorted() : Object.entries(part).sort()));
  const text = JSON.stringify([process.platform, process.arch, ...sorted]);
  return createHash("sha256").update(text).digest("hex").slice(0, 40);
}

/** A folder with the files that were installed into it. */
export interface KeptFolder {
  readonly folder: string;
  /** Whether it was installed now. */
  readonly isNew: boolean;
}

/**
 * Returns a folder of a store that has the files that were installed into it. Where it is not there, or a file of it differs, everything is installed
 * into another folder, which takes the name when it is whole: whatever ends this process, no name leads to a part of an installation.
 *
 * @param name The name of the folder; absent if only the installation shows it
 * @param install Installs into an empty folder, and returns the name that the folder gets
 * @throws {@link ArtifactError} `unreadable` when nothing can be written, or the folder is another user's; the errors of `install`
 */
export async function keepFolder(
  store: string,
  name: string | undefined,
  install: (folder: string) => Promise<string>,
): Promise<KeptFolder> {
  let made: string | undefined;
  try {
    if (name !== undefined) {
      const kept = join(store, name);
      leaseFolder(store, name);
      if (await hasWrittenDigests(kept)) return { folder: kept, isNew: false };
    }
    made = await mkdtemp(join(store, nameOfWork(UNFINISHED)));
    const named = await install(made);
    const folder = join(store, named);
    leaseFolder(store, named);
    await writeDigests(made);
    await place(made, folder);
    return { folder, isNew: true };
  } catch (error) {
    if (error instanceof ArtifactError || !(error instanceof Error) || !("code" in error)) throw error;
    const why = error.code === "ENOSPC" || error.code === "EDQUOT" ? "the disk is full" : error.message;
    throw new ArtifactError("unreadable", `nothing can be installed into ${store}: ${why}`, error);
  } finally {
    if (made !== undefined) await rm(made, { recursive: true, force: true });
  }
}

/** Returns the folders of a package in a version, among those that a store keeps. */
export async function findKept(store: string, name: string, version: string): Promise<string[]> {
  const folders = (await readdir(store).catch(() => [])).filter((each) => !each.startsWith(UNFINISHED));
  const found = folders.map(async (each): Promise<string[]> => {
    const folder = join(store, each, "node_modules", name);
    const manifest = await readObject(join(folder, "package.json"));
    return manifest && textAt(manifest, "version") === version ? [folder] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Gives a whole folder its name, unless another process was first. */
async function place(made: string, folder: string): Promise<void> {
  for (let round = 1; ; round++) {
    try {
      await rename(made, folder);
      return;
    } catch (error) {
      if (await hasWrittenDigests(folder)) return;
      if (round === MAX_ROUNDS) throw error;
    }
    const aside = `${made}${round}`;
    // Nothing is in the way any more where another process was faster.
    await rename(folder, aside).catch(() => undefined);
    await rm(aside, { recursive: true, force: true });
  }
}
