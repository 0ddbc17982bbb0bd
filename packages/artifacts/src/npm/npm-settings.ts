import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ArtifactError } from "../errors.ts";
import { objectIn, textAt } from "../json-file.ts";
import { runProgram } from "../run-program.ts";
import type { Surroundings } from "../surroundings.ts";

/** The folders of the user's npm. */
export interface NpmFolders {
  readonly cache: string;
  /** The folder with the `node_modules` of global packages. */
  readonly global: string;
}

/**
 * Queries npm for its configured folders.
 *
 * @throws {@link ArtifactError} `no-program`, `unreadable` if npm does not report them
 */
export async function npmFolders(surroundings: Surroundings): Promise<NpmFolders> {
  const { stdout, stderr, code } = await runProgram("npm", ["config", "list", "--json"], surroundings);
  const settings = code === 0 ? objectIn(stdout, "npm's configuration") : {};
  const [cache, prefix] = [textAt(settings, "cache"), textAt(settings, "prefix")];
  if (cache === undefined || prefix === undefined) {
    throw new ArtifactError("unreadable", `npm does not report where its cache is: ${lastLine(stderr)}`);
  }
  return { cache, global: process.platform === "win32" ? prefix : join(prefix, "lib") };
}

/** Returns the folder whose packages `npx` checks first: the nearest one with a manifest or with packages. */
export function npmRoot(cwd: string): string {
  const start = resolve(cwd);
  for (let folder = start; ; folder = dirname(folder)) {
    if (["package.json", "node_modules"].some((name) => existsSync(join(folder, name)))) return folder;
    if (dirname(folder) === folder) return start;
  }
}

/** Returns the last line of a program's output, for an error message. */
export function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.trim() ?? "";
}
