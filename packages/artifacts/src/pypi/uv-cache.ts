import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ArtifactError } from "../errors.ts";
import { unreadable } from "../json-file.ts";
import { runProgram } from "../run-program.ts";
import type { Surroundings } from "../surroundings.ts";

/** A file of a release that uv has unpacked, and will install without requesting it again. */
export interface CachedWheel {
  readonly name: string;
  /** `sha256:` and 64 hex digits. */
  readonly digest: string;
  /** Where its files are. */
  readonly folder: string;
}

/** The suffix of a note's name; the rest is the name of the folder next to the note. */
const NOTE_END = ".http";
/**
 * uv's note next to an unpacked wheel, in MessagePack: the wheel's digest, then the length of its file name and the
 * name itself.
 */
const NOTE = /Sha256\xd9@([0-9a-f]{64})(?:\xd9[\s\S]|[\xa0-\xbf])([\w.+!-]+?\.whl)/;

/**
 * Finds the wheels of a version in uv's cache, which uv creates its environments from.
 *
 * @param name The normalized name of the package
 * @throws {@link ArtifactError} `no-program` without uv; `unreadable` if a note in the cache is malformed
 */
export async function cachedWheels(name: string, version: string, surroundings: Surroundings): Promise<CachedWheel[]> {
  const { stdout, code } = await runProgram("uv", ["cache", "dir"], surroundings);
  if (code !== 0) throw new ArtifactError("unreadable", "uv does not report where its cache is");
  const folders = await foldersOf(stdout.trim());
  const found = folders.map(async (folder) => {
    const notes = (await names(join(folder, name))).filter(
      (file) => file.startsWith(`${version}-`) && file.endsWith(NOTE_END),
    );
    return Promise.all(notes.map((note) => readNote(join(folder, name, note))));
  });
  return (await Promise.all(found)).flat();
}

/** Returns the folders for wheels, one for each index. The number in their names changes with the format. */
async function foldersOf(cache: string): Promise<string[]> {
  const buckets = (await names(cache)).filter((name) => /^wheels-v\d+$/.test(name)).map((name) => join(cache, name));
  const all = buckets.map(async (bucket) => {
    const own = (await names(join(bucket, "index"))).map((index) => join(bucket, "index", index));
    return [join(bucket, "pypi"), ...own];
  });
  return (await Promise.all(all)).flat();
}

function names(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function readNote(path: string): Promise<CachedWheel> {
  const [, digest, name] = NOTE.exec(await readFile(path, "latin1")) ?? [];
  if (digest === undefined || name === undefined)
    throw unreadable(path, new Error("it contains no digest; run uv cache clean, so that uv writes it again"));
  return { name, digest: `sha256:${digest}`, folder: path.slice(0, -NOTE_END.length) };
}
