import { writeFile } from "node:fs/promises";
import type { Context } from "../run/context.ts";
import { CliError, reasonOf } from "../run/errors.ts";

/**
 * Writes a key to a file that does not exist yet.
 *
 * @param mode Who can read the file: `0o600` for a secret key
 * @throws {@link CliError} `unwritable-output` if the file exists or cannot be written
 */
export async function writeNewKey(context: Context, file: string, key: string, mode: number): Promise<void> {
  await writeFile(context.pathOf(file), key, { mode, flag: "wx" }).catch((cause: unknown) => {
    throw new CliError("unwritable-output", `cannot write a key to ${file}: ${reasonOf(cause)}`, {
      expected: "a new file in a folder that can be written",
      fix: "name another file: a key that exists is never replaced",
      cause,
    });
  });
}
