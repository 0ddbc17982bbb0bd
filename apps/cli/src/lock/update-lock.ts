import { formatLock, type LockFile } from "@agentprint/mcp-lock/lock";
import { updateFile } from "../files/update-file.ts";
import type { InputContext } from "../run/context.ts";
import { readLockIfPresent } from "./read-lock.ts";

/**
 * Atomically replaces the lock with the result of `change` on its current content, one writer at a time.
 *
 * @returns the lock that the file has now
 * @throws {@link CliError} as updateFile does; `unreadable-input` when the current lock cannot be read
 */
export async function updateLock(
  context: InputContext,
  file: string,
  change: (lock: LockFile | undefined) => LockFile,
): Promise<LockFile> {
  const locks: LockFile[] = [];
  await updateFile(context, file, async (target) => {
    const before = (await readLockIfPresent(context, target))?.lock;
    const after = change(before);
    locks.push(after);
    return after === before ? undefined : formatLock(after);
  });
  return locks[0] as LockFile;
}
