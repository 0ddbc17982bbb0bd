import { chmod, lstat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, relative, sep } from "node:path";
import { makeFolder } from "@agentprint/recorder/folder";
import type { Context } from "../run/context.ts";
import { CliError, reasonOf } from "../run/errors.ts";

/** Returns the folder in which agentprint stores the user's state between runs. */
export function stateFolder({ env }: Pick<Context, "env">): string {
  const home = env["HOME"] || env["USERPROFILE"] || homedir();
  return join(env["XDG_STATE_HOME"] || join(home, ".local", "state"), "agentprint");
}

/** Returns the state subfolder with one folder for each configuration into which `wrap` put the guard. */
export function wrappedFolder(context: Pick<Context, "env">): string {
  return join(stateFolder(context), "wrapped");
}

/** Returns the state subfolder with one folder for each set of packages that was installed for a launch. */
export function packagesFolder(context: Pick<Context, "env">): string {
  return join(stateFolder(context), "packages");
}

/**
 * Creates a folder that only the user can open, with its parents, unless it exists.
 *
 * @throws {@link CliError} `unwritable-output` when it cannot be created, is not a folder, or belongs to another user
 */
export async function makePrivateFolder(path: string): Promise<void> {
  try {
    await makeFolder(path, 0o700);
    const found = await lstat(path);
    if (!found.isDirectory()) throw new Error("it is not a folder");
    // Windows has neither owners nor modes here: a folder of the user's profile is closed to other users.
    if (process.getuid === undefined) return;
    if (found.uid !== process.getuid()) throw new Error("it belongs to another user");
    if ((found.mode & 0o077) !== 0) await chmod(path, 0o700);
  } catch (error) {
    throw new CliError("unwritable-output", `cannot keep anything in ${path}: ${reasonOf(error)}`, {
      expected: "a folder of the user's, or none",
      fix: "set XDG_STATE_HOME to another folder",
      cause: error,
    });
  }
}

/** Returns whether a path is a folder or leads below it; a name such as `..a` does not leave the folder. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
