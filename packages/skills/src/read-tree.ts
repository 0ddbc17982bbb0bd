import type { Dirent } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import { join, sep } from "node:path";
import { sha256Hex } from "@agentprint/canonical-json";
import type { TreeEntry } from "@agentprint/content-hash";
import { SkillsError, unreadable } from "./errors.ts";
import { MAX_ENTRIES, MAX_FILE_BYTES, MAX_SKILL_BYTES } from "./limits.ts";
import { readInside, realInside } from "./read-inside.ts";

/** A file of a skill. */
export interface SkillFile extends TreeEntry {
  readonly as: "bytes" | "symlink";
  /** Whether it begins with `#!`. */
  readonly hasShebang: boolean;
}

/**
 * Returns every file below a folder by its path from there, with the SHA-256 of its bytes; for a link, of its target.
 *
 * @param root The real path of the folder.
 * @param shown The path of the folder for readers.
 * @throws {@link SkillsError} when a link leaves the folder, a file is not a regular one, or a limit is exceeded.
 */
export async function readTree(root: string, shown: string): Promise<ReadonlyMap<string, SkillFile>> {
  const files = new Map<string, SkillFile>();
  const open = [""];
  let entries = 0;
  let bytes = 0;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of await entriesOf(join(root, folder), `${shown}/${folder}`)) {
      if (++entries > MAX_ENTRIES) {
        throw new SkillsError("too-large", shown, `has more than ${MAX_ENTRIES} files and folders`);
      }
      const path = `${folder}${entry.name}`;
      if (entry.isDirectory()) {
        open.push(`${path}/`);
        continue;
      }
      const { file, size } = await readEntry(root, entry, path, `${shown}/${path}`);
      bytes += size;
      if (bytes > MAX_SKILL_BYTES) throw new SkillsError("too-large", shown, `has more than ${MAX_SKILL_BYTES} bytes`);
      files.set(path, file);
    }
  }
  return files;
}

/** Returns the entries of a folder, in no particular order. */
export async function entriesOf(folder: string, shown: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw unreadable(shown, error);
  });
}

async function readEntry(
  root: string,
  entry: Dirent,
  path: string,
  shown: string,
): Promise<{ readonly file: SkillFile; readonly size: number }> {
  const whole = join(root, path);
  if (entry.isSymbolicLink()) {
    await realInside(root, whole, shown);
    const target = (await readlink(whole)).split(sep).join("/");
    return { file: { sha256: sha256Hex(target), as: "symlink", hasShebang: false }, size: target.length };
  }
  if (!entry.isFile()) throw new SkillsError("not-a-file", shown, "is neither a file nor a folder");
  const bytes = await readInside(root, whole, shown, MAX_FILE_BYTES);
  const hasShebang = bytes[0] === HASH && bytes[1] === BANG;
  return { file: { sha256: sha256Hex(bytes), as: "bytes", hasShebang }, size: bytes.length };
}

const HASH = 0x23;
const BANG = 0x21;
