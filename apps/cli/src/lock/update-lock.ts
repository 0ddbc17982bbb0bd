import { stat } from "node:fs/promises";
import { formatLock, type LockFile } from "@agentprint/mcp-lock/lock";
import { followLinks, replaceFile } from "../files/replace-file.ts";
import type { InputContext } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { readLockIfPresent } from "./read-lock.ts";
import { withWriterMutex } from "./writer-mutex.ts";

/**
 * Replaces the lock as a whole by what `change` makes of its present content. One writer at a time reads and writes, so
 * that no writer undoes what another one has just written.
 *
 * @returns the lock that the file has now
 * @throws {@link CliError} `lock-busy` when another writer does not finish, or has written while this process was suspended, or
 * the folder cannot be written; `unreadable-input` when the present lock cannot be read; `unwritable-output` when the file cannot be replaced
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
    const state = await stateOf(target);
    const before = (await readLockIfPresent(context, target))?.lock;
    const after = change(before);
    if (after === before) return after;
    const text = formatLock(after);
    // A process that was suspended has lost its turn to another one.
    if ((await stateOf(target)) !== state) throw writtenMeanwhile(file);
    await replaceFile({ pathOf: () => target }, file, text);
    return after;
  });
}

/** The identity of a file, which differs once the file was replaced; empty where there is none. */
async function stateOf(path: string): Promise<string> {
  return stat(path, { bigint: true }).then(
    ({ dev, ino, size, mtimeNs }) => [dev, ino, size, mtimeNs].join(" "),
    () => "",
  );
}

function writtenMeanwhile(file: string): CliError {
  return new CliError("lock-busy", `another program wrote ${file} while this one was suspended`, {
    where: file,
    expected: "no other writer at the same time",
    fix: "run the command again",
  });
}
