import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";
import { lock as acquireMutex } from "proper-lockfile";
import { CliError, reasonOf } from "../run/errors.ts";

/** The age at which a mutex counts as abandoned, in milliseconds. A writer holds it for a few milliseconds only. */
const STALE_AFTER = 10_000;

/**
 * Runs `write` while no other agentprint writes the file `target`; errors name it `file`, as the user wrote it.
 *
 * @param attempts How often the mutex is asked for, every 50 to 200 milliseconds
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
    // The mutex is a folder beside the file. Without this test, all attempts below would wait for a folder that cannot be
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
