import { randomBytes, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { link, open, rm } from "node:fs/promises";
import { RecorderError } from "./errors.ts";

const KEY_BYTES = 32;
const MAX_FILE_BYTES = 1024;
const KEY_TEXT = /^[0-9a-f]{64}$/;

/**
 * Returns the 32-byte secret key in the file `path`, which holds the key as 64 lowercase hex digits. If there is no
 * file, creates one that only its owner can read. Processes that start together get the same key, and a killed process
 * leaves no partial key.
 *
 * @throws {@link RecorderError} `invalid-key` if the file holds something else; `unavailable` if it can be neither read
 * nor created.
 *
 * @example
 * ```ts
 * import { loadKeyFile } from "@agentprint/recorder";
 *
 * const key = await loadKeyFile("recorder.key"); // for `key` of createRecorder, and for readers
 * console.log(key.length); // 32
 * ```
 */
export async function loadKeyFile(path: string): Promise<Uint8Array> {
  return keyIn(path, await toldWhy(path, async () => (await readIfThere(path)) ?? (await makeKeyFile(path))));
}

/** Returns the key in a file, like {@link loadKeyFile}; `undefined` if there is no file. */
export async function readKeyFile(path: string): Promise<Uint8Array | undefined> {
  const text = await toldWhy(path, () => readIfThere(path));
  return text === undefined ? undefined : keyIn(path, text);
}

async function toldWhy<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new RecorderError("unavailable", `the key in ${path} can be neither read nor made: ${code}`, { cause });
  }
}

function keyIn(path: string, text: string): Uint8Array {
  if (KEY_TEXT.test(text)) return Uint8Array.from(Buffer.from(text, "hex"));
  throw new RecorderError("invalid-key", `${path}: expected ${KEY_BYTES * 2} lowercase hexadecimal digits`);
}

/**
 * Returns the text of the file; `undefined` if there is no file, and an empty text for anything that cannot be a key
 * file.
 */
async function readIfThere(path: string): Promise<string | undefined> {
  // A pipe must be opened without waiting for someone to write.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const found = await file.stat();
    return found.isFile() && found.size <= MAX_FILE_BYTES ? (await file.readFile("utf8")).trim() : "";
  } finally {
    await file.close();
  }
}

async function makeKeyFile(path: string): Promise<string> {
  const temporary = `${path}.${randomUUID()}`;
  const file = await open(temporary, "wx", 0o600);
  try {
    await file.writeFile(`${randomBytes(KEY_BYTES).toString("hex")}\n`);
    await file.sync();
    // Unlike a rename, a link fails if another process has created the key in the meantime.
    await link(temporary, path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    });
  } finally {
    await file.close();
    await rm(temporary, { force: true });
  }
  return (await readIfThere(path)) ?? "";
}
