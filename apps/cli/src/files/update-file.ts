import { access, constants, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { lock as acquireMutex } from "proper-lockfile";
import type { InputContext } from "../run/context.ts";
import { CliError, reasonOf } from "../run/errors.ts";
import { followLinks, replaceFile } from "./replace-file.ts";

/**
 * Atomically replaces a file with the result of `change` on its current content. One writer at a time reads and writes,
 * so that no writer undoes what another writer has just written.
 *
 * @param change Receives the path with all links resolved, and reads the file; `undefined` leaves the file unchanged
 * @param mode The permissions that the file has from its first byte on; by default those of the previous file
 * @throws {@link CliError} `lock-busy` when another writer does not finish, or has written while this process was
 * suspended, or the folder cannot be written; `unwritable-output` when the file cannot be replaced; and any error of
 * `change`
 */
export async function updateFile(
  context: Pick<InputContext, "pathOf">,
  file: string,
  change: (target: string) => Promise<string | undefined>,
  mode?: number,
): Promise<void> {
  const path = context.pathOf(file);
  // A symbolic link is followed, as every reader does: the file behind the link is replaced, not the link.
  const target = await followLinks(path).catch(() => path);
  await withWriterMutex(file, target, async () => {
    const state = await stateOf(target);
    const text = await change(target);
    if (text === undefined) return;
    // A suspended process has lost its turn.
    if ((await stateOf(target)) !== state) throw writtenMeanwhile(file);
    await replaceFile({ pathOf: () => target }, file, text, mode);
  });
}

/** Returns the identity of a file, which changes when the file is replaced; empty if there is no file. */
async function stateOf(path: string): Promise<string> {
  return stat(path, { bigint: true }).then(
    ({ dev, ino, size, mtimeNs }) => [dev, ino, size, mtimeNs].join(" "),
    () => "",
  );
}

/** Returns the error about a file that another program wrote after this one had read it. */
export function writtenMeanwhile(file: string): CliError {
  return new CliError("lock-busy", `another program wrote ${file} while this one was at work`, {
    where: file,
    expected: "no other writer at the same time",
    fix: "run the command again",
  });
}

/** The age at which a mutex counts as abandoned, in milliseconds. A writer holds it for only a few milliseconds. */
const STALE_AFTER = 10_000;

/**
 * Runs `write` while no other agentprint writes the file `target`; errors name it `file`, as the user wrote it.
 *
 * @param attempts The number of times that the mutex is tried, every 50 to 200 milliseconds
 * @throws {@link CliError} `lock-busy` when another writer does not finish, or the folder cannot be written
 */
export async function withWriterMutex<Result>(
  file: string,
  target: string,
  write: () => Promise<Result>,
  attempts = 100,
): Promise<Result> {
  const release = await acquireWriterMutex(file, target, attempts);
  try {
    return await write();
  } finally {
    // A mutex that was taken over while this process was suspended is no longer its own.
    await release().catch(() => undefined);
  }
}

async function acquireWriterMutex(file: string, target: string, attempts: number): Promise<() => Promise<void>> {
  try {
    // The mutex is a folder next to the file. Without this test, all attempts below would wait for a folder that cannot be
    // made.
    await access(dirname(target), constants.W_OK);
    return await acquireMutex(target, {
      realpath: false,
      stale: STALE_AFTER,
      onCompromised: () => undefined,
      retries: { retries: attempts, factor: 1, minTimeout: 50, maxTimeout: 200, randomize: true },
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
