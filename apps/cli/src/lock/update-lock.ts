import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";
import { formatLock, type LockFile } from "@agentprint/mcp-lock/lock";
import { lock as acquireMutex } from "proper-lockfile";
import type { InputContext } from "../context.ts";
import { CliError, reasonOf } from "../errors.ts";
import { followLinks, replaceFile } from "../replace-file.ts";
import { readLockIfPresent } from "./read-lock.ts";

/** In milliseconds. A writer has the mutex for a few; after this time the mutex of a writer that was killed counts as free. */
const STALE_AFTER = 10_000;

/**
 * Replaces the lock as a whole by what `change` makes of its present content. One writer at a time reads and writes, so
 * that no writer undoes what another one has just written.
 *
 * @returns the lock that the file has now
 * @throws {@link CliError} `lock-busy` when another writer does not finish, or the folder cannot be written;
 * `unreadable-input` when the present lock cannot be read; `unwritable-output` when the file cannot be replaced
 */
export async function updateLock(
  context: InputContext,
  file: string,
  change: (lock: LockFile | undefined) => LockFile,
): Promise<LockFile> {
  const path = context.pathOf(file);
  // A symbolic link is followed, as every reader follows it: the file behind the link is replaced, not the link.
  const target = await followLinks(path).catch(() => path);
  return withWriterMutex(file, target, async () => {
    const before = (await readLockIfPresent(context, target))?.lock;
    const after = change(before);
    if (after !== before) await replaceFile(context, file, formatLock(after));
    return after;
  });
}

/** Runs `write` while no other agentprint writes the file `target`; errors name it `file`, as the user wrote it. */
async function withWriterMutex<Result>(file: string, target: string, write: () => Promise<Result>): Promise<Result> {
  const release = await acquireWriterMutex(file, target);
  try {
    return await write();
  } finally {
    await release();
  }
}

async function acquireWriterMutex(file: string, target: string): Promise<() => Promise<void>> {
  try {
    // The mutex is a folder beside the file. Without this test, all attempts below would wait for a folder that cannot be
    // made.
    await access(dirname(target), constants.W_OK);
    return await acquireMutex(target, {
      realpath: false,
      stale: STALE_AFTER,
      retries: { retries: 100, factor: 1, minTimeout: 50, maxTimeout: 200, randomize: true },
    });
  } catch (error) {
    throw new CliError("lock-busy", `cannot write ${file}: ${reasonOf(error)}`, {
      where: `${target}.lock`,
      expected: "a folder that can be written, and no other agentprint that writes there",
      fix: "make the folder writable, or run the command again when the other agentprint has ended",
      cause: error,
    });
  }
}
