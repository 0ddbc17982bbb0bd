import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";
import { formatLock, type LockFile, McpLockError, parseLock } from "@agentprint/mcp-lock";
import { lock as acquire } from "proper-lockfile";
import { type InputContext, pathIn } from "../context.ts";
import { CliError, isMissing, reasonOf } from "../errors.ts";
import { readInput } from "../json/read-input.ts";
import { followLinks, replaceFile } from "../replace-file.ts";

/** The lock file where no `--lock` says otherwise. */
export const DEFAULT_LOCK = "agentprint.lock";

const MAX_LOCK_BYTES = 64 * 1024 * 1024;
/** A writer holds the file for milliseconds; one that was killed is passed over after this time. */
const STALE = 10_000;

/** A lock file, and its text as it stands in the file. */
interface ReadLock {
  readonly lock: LockFile;
  readonly text: Uint8Array;
}

/** Reads the lock file; `undefined` when there is none. */
async function readLock(context: InputContext, file: string): Promise<ReadLock | undefined> {
  const text = await readInput(context, file, MAX_LOCK_BYTES).catch((error: unknown) => {
    if (error instanceof CliError && isMissing(error.cause)) return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return { lock: parseLock(text), text };
  } catch (error) {
    if (!(error instanceof McpLockError)) throw error;
    const place = error.line === undefined ? "" : `:${error.line}:${error.column}`;
    throw new CliError("unreadable-input", `${file} cannot be trusted: ${error.message}`, {
      where: `${file}${place}`,
      expected: "the lock file as agentprint wrote it",
      fix: `restore it from version control, or remove it and pin again (${error.code})`,
    });
  }
}

/** Reads the lock file, which must exist. */
export async function requireLock(context: InputContext, file: string): Promise<ReadLock> {
  const found = await readLock(context, file);
  if (found) return found;
  throw new CliError("missing-lock", `there is no ${file}`, {
    expected: "a lock file made by agentprint pin",
    fix: "agentprint pin -- <command that starts the server>",
  });
}

/**
 * Replaces the lock file by what `change` makes of its present content: atomically, and one writer after the other, so
 * that no writer undoes what another has just written. Returns what is in the file now.
 */
export async function updateLock(
  context: InputContext,
  file: string,
  change: (lock: LockFile | undefined) => LockFile,
): Promise<LockFile> {
  const path = pathIn(context, file);
  // A symbolic link is followed, as every reader does: the file behind it is replaced, not the link.
  const target = await followLinks(path).catch(() => path);
  const release = await acquireLock(file, target);
  try {
    const before = (await readLock(context, target))?.lock;
    const after = change(before);
    if (after !== before) await replaceFile(context, file, formatLock(after));
    return after;
  } finally {
    await release();
  }
}

async function acquireLock(file: string, target: string): Promise<() => Promise<void>> {
  try {
    // Otherwise the attempts below would wait for a folder as they wait for another writer.
    await access(dirname(target), constants.W_OK);
    return await acquire(target, {
      realpath: false,
      stale: STALE,
      retries: { retries: 100, factor: 1, minTimeout: 50, maxTimeout: 200, randomize: true },
    });
  } catch (error) {
    throw new CliError("lock-busy", `cannot write ${file}: ${reasonOf(error)}`, {
      where: `${target}.lock`,
      expected: "a folder that can be written, and no other agentprint that writes there",
      cause: error,
    });
  }
}
