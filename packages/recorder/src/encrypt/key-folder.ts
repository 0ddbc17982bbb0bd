import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { checkArgument } from "../check-argument.ts";
import { RecorderError } from "../errors.ts";
import { makeFolder } from "../folder.ts";
import { loadKeyFile, readKeyFile } from "../key-file.ts";
import { syncFolder } from "../sink/write-durably.ts";
import type { ContentKeys } from "./content-keys.ts";

/**
 * Keeps keys in a folder, with one file for each task, which only its owner can read. A file's name is the SHA-256 of
 * its task's name, because not every name is allowed in every file system. A backup of the folder also contains the
 * keys: to erase contents, delete the keys there as well.
 *
 * The returned functions throw {@link RecorderError} `invalid-key` if a file does not hold a key, and `unavailable` if
 * it cannot be read, created or deleted.
 *
 * @example
 * ```ts
 * import { randomBytes } from "node:crypto";
 * import { createKeyFolder, createRecorder } from "@agentprint/recorder";
 *
 * const contentKeys = createKeyFolder("content-keys");
 * const options = { store: "trails", key: randomBytes(32), agentId: "planner", encrypt: contentKeys };
 * const recorder = await createRecorder(options);
 * await recorder.close();
 * console.log(await contentKeys.delete(recorder.sessionId)); // true: nobody can read the contents any more
 * ```
 */
export function createKeyFolder(folderName: string): ContentKeys {
  checkArgument("folderName", folderName, "string");
  const folder = resolve(folderName);
  const fileOf = (task: string): string =>
    join(folder, `${createHash("sha256").update(JSON.stringify(task)).digest("hex")}.key`);
  return {
    get: (task) => readKeyFile(fileOf(task)),
    create: async (task) => {
      await makeFolder(folder, 0o700).catch((cause: unknown) => fail("made", folder, cause));
      return loadKeyFile(fileOf(task));
    },
    delete: async (task) => {
      try {
        await rm(fileOf(task));
        await syncFolder(folder);
        return true;
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code === "ENOENT") return false;
        return fail("deleted", fileOf(task), cause);
      }
    },
  };
}

function fail(what: string, path: string, cause: unknown): never {
  const { code } = cause as NodeJS.ErrnoException;
  throw new RecorderError("unavailable", `${path} cannot be ${what}: ${code}`, { cause });
}
