import { stat } from "node:fs/promises";
import type { InputContext } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { followLinks, replaceFile } from "./replace-file.ts";
import { withWriterMutex } from "./writer-mutex.ts";

/**
 * Replaces a file as a whole by what `change` makes of its present content. One writer at a time reads and writes, so
 * that no writer undoes what another one has just written.
 *
 * @param change Is given the path behind all links, and reads what is there; `undefined` leaves the file as it is
 * @param mode The permissions that the file has from its first byte on; without it, those of the file before
 * @throws {@link CliError} `lock-busy` when another writer does not finish, or has written while this process was suspended, or
 * the folder cannot be written; `unwritable-output` when the file cannot be replaced; and what `change` throws
 */
export async function updateFile(
  context: Pick<InputContext, "pathOf">,
  file: string,
  change: (target: string) => Promise<string | undefined>,
  mode?: number,
): Promise<void> {
  const path = context.pathOf(file);
  // A symbolic link is followed, as every reader follows it: the file behind the link is replaced, not the link.
  const target = await followLinks(path).catch(() => path);
  await withWriterMutex(file, target, async () => {
    const state = await stateOf(target);
    const text = await change(target);
    if (text === undefined) return;
    // A process that was suspended has lost its turn to another one.
    if ((await stateOf(target)) !== state) throw writtenMeanwhile(file);
    await replaceFile({ pathOf: () => target }, file, text, mode);
  });
}

/** The identity of a file, which differs once the file was replaced; empty where there is none. */
async function stateOf(path: string): Promise<string> {
  return stat(path, { bigint: true }).then(
    ({ dev, ino, size, mtimeNs }) => [dev, ino, size, mtimeNs].join(" "),
    () => "",
  );
}

/** The error about a file that another program wrote after this one had read it. */
export function writtenMeanwhile(file: string): CliError {
  return new CliError("lock-busy", `another program wrote ${file} while this one was at work`, {
    where: file,
    expected: "no other writer at the same time",
    fix: "run the command again",
  });
}
