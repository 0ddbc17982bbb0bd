import { type LockFile, McpLockError, parseLock } from "@agentprint/mcp-lock/lock";
import { readInput } from "../files/read-input.ts";
import type { InputContext } from "../run/context.ts";
import { CliError, isMissing } from "../run/errors.ts";

/** The default path of the lock. */
export const DEFAULT_LOCK = "agentprint.lock";

/** Returns the path of a lock for a command line; `undefined` for the default path, which command lines leave out. */
export function namedLock(path: string): string | undefined {
  return path === DEFAULT_LOCK ? undefined : path;
}

/** The maximum size of a lock file, in bytes. */
export const MAX_LOCK_BYTES: number = 64 * 1024 * 1024;

/** The line with which Git marks the beginning of two versions that it could not merge. */
const CONFLICT = /^<{7}(?: |\r?$)/m;

/** A lock, and the text of its file. */
export interface ReadLock {
  readonly lock: LockFile;
  readonly text: Uint8Array;
}

/**
 * Reads the lock; `undefined` when there is no such file.
 *
 * @throws {@link CliError} `unreadable-input` when the file cannot be read, or a digest in it is wrong
 */
export async function readLockIfPresent(context: InputContext, file: string): Promise<ReadLock | undefined> {
  const text = await readInput(context, file, MAX_LOCK_BYTES).catch((error: unknown) => {
    if (error instanceof CliError && isMissing(error.cause)) return undefined;
    throw error;
  });
  return text === undefined ? undefined : { lock: parseLockText(text, file), text };
}

/**
 * Parses the lock in the text of a file.
 *
 * @param file The name of the file, as messages show it
 * @throws {@link CliError} `unreadable-input` when the text is not a lock, or a digest in it is wrong
 */
export function parseLockText(text: Uint8Array, file: string): LockFile {
  try {
    return parseLock(text);
  } catch (error) {
    if (!(error instanceof McpLockError)) throw error;
    const place = error.line === undefined ? "" : `:${error.line}:${error.column}`;
    const details = { where: `${file}${place}`, expected: "the lock file as agentprint wrote it" };
    const message = `${file} cannot be trusted: ${error.message}`;
    if (error.code === "invalid-json" && CONFLICT.test(new TextDecoder().decode(text))) {
      throw new CliError("unreadable-input", message, {
        ...details,
        fix: "run git checkout --ours or --theirs on it, and pin again what only the other side of the merge pinned",
      });
    }
    throw new CliError("unreadable-input", message, {
      ...details,
      fix:
        error.code === "unsupported-lock-version"
          ? "install the newest agentprint if a newer one wrote the lock; if an older one did, remove the lock and pin again with agentprint pin"
          : `restore it from version control, or remove it and pin again (${error.code})`,
    });
  }
}

/**
 * Reads the lock, which has to exist.
 *
 * @throws {@link CliError} `missing-lock` when there is no such file; `unreadable-input` when the file cannot be read, or a
 * digest in it is wrong
 */
export async function readLock(context: InputContext, file: string): Promise<ReadLock> {
  const found = await readLockIfPresent(context, file);
  if (found) return found;
  throw missingLock(file);
}

/** Returns the `missing-lock` error for a file that does not exist. */
export function missingLock(file: string): CliError {
  return nothingPinned(`there is no lock file ${file}`);
}

/** Returns the `missing-lock` error for a lock without servers. */
export function nothingPinned(message: string): CliError {
  return new CliError("missing-lock", message, {
    expected: "a lock file that agentprint init or pin wrote",
    fix: "pin the servers that your clients have: agentprint init; or a server by its command: agentprint pin -- <command…>",
  });
}
