import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { followLinks, replaceFile } from "../files/replace-file.ts";
import { makePrivateFolder, packagesFolder } from "../files/state-folder.ts";
import type { Context } from "../run/context.ts";
import { isMissing } from "../run/errors.ts";

function notesFolder(context: Pick<Context, "env">): string {
  return join(packagesFolder(context), "locks");
}

function noteOf(context: Pick<Context, "env">, path: string): string {
  return join(notesFolder(context), createHash("sha256").update(path).digest("hex").slice(0, 32));
}

/** The path by which a lock is noted, behind all links. */
export function notedPath({ pathOf }: Pick<Context, "pathOf">, lock: string): Promise<string> {
  return followLinks(resolve(pathOf(lock)));
}

/**
 * Notes in the folder of packages for which lock packages were installed, so that a clean-up finds every lock.
 *
 * @throws {@link CliError} `unwritable-output`
 */
export async function rememberLock(context: Context, lock: string): Promise<void> {
  const path = await notedPath(context, lock);
  const note = noteOf(context, path);
  if (existsSync(note)) return;
  await makePrivateFolder(notesFolder(context));
  await replaceFile(context, note, path, 0o600);
}

/** The paths of the locks for which packages were installed. */
export async function knownLocks(context: Pick<Context, "env">): Promise<readonly string[]> {
  const notes = await readdir(notesFolder(context)).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const own = notes.filter((name) => /^[0-9a-f]{32}$/.test(name));
  return Promise.all(own.map((name) => readFile(join(notesFolder(context), name), "utf8")));
}

/** Forgets a lock that is gone. */
export async function forgetLock(context: Pick<Context, "env">, path: string): Promise<void> {
  await rm(noteOf(context, path), { force: true });
}
