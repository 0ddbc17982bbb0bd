import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, lstat, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { ArtifactError } from "../errors.ts";
import { objectAt, readObject } from "../json-file.ts";

/** The file in a folder that holds the digests of all its other files. */
const RECORD = "digests.json";
/** How many files are read at the same time. */
const AT_ONCE = 16;
/** Files above this size are read in parts. */
const WHOLE_BYTES = 4 * 1024 * 1024;

/** Writes the SHA-256 of every file in a folder, and the target of every link, into a file in that folder. */
export async function writeDigests(folder: string): Promise<void> {
  const files = await digestsOf(folder);
  await writeFile(join(folder, RECORD), JSON.stringify({ files }), { mode: 0o600 });
}

/**
 * Returns whether a folder holds exactly the files whose digests were written when it was made.
 *
 * @returns `undefined` if there is no such folder
 * @throws {@link ArtifactError} `unreadable` if the folder belongs to another user, or cannot be read
 */
export async function hasWrittenDigests(folder: string): Promise<boolean | undefined> {
  const found = await lstat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw foreign(folder, error.message);
  });
  if (found === undefined) return undefined;
  if (!found.isDirectory()) throw foreign(folder, "it is not a folder");
  if (process.getuid !== undefined) {
    if (found.uid !== process.getuid()) throw foreign(folder, "it belongs to another user");
    if ((found.mode & 0o077) !== 0) await chmod(folder, 0o700);
  }
  const record = await readObject(join(folder, RECORD)).catch(() => undefined);
  if (record === undefined) return false;
  const [written, now] = [objectAt(record, "files"), await digestsOf(folder)];
  const names = Object.keys(now);
  return names.length === Object.keys(written).length && names.every((name) => written[name] === now[name]);
}

function foreign(folder: string, why: string): ArtifactError {
  return new ArtifactError("unreadable", `nothing is installed into ${folder}: ${why}`);
}

async function digestsOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const digests = new Map<string, string>();
  const waiting = entries.filter((entry) => !entry.isDirectory()).values();
  const work = async (): Promise<void> => {
    for (const entry of waiting) {
      const path = join(entry.parentPath, entry.name);
      const name = relative(folder, path).replaceAll(sep, "/");
      if (name === RECORD) continue;
      digests.set(name, entry.isSymbolicLink() ? `link to ${await readlink(path)}` : await digestOf(path));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return Object.fromEntries([...digests].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function digestOf(path: string): Promise<string> {
  const { size, isFile } = await lstat(path).then((found) => ({ size: found.size, isFile: found.isFile() }));
  if (!isFile) return "no file";
  const hash = createHash("sha256");
  if (size > WHOLE_BYTES) await pipeline(createReadStream(path), hash);
  else hash.update(await readFile(path));
  return hash.digest("hex");
}
