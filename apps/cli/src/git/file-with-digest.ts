import { createHash } from "node:crypto";
import { dirname } from "node:path";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { findRepository, pathFromTop } from "./find-repository.ts";
import { runGit } from "./run-git.ts";

/** The maximum number of a file's commits to search, the newest first. */
const MAX_COMMITS = 50;

/**
 * Finds the bytes of a file that have a given digest, in the commits that led to the current one and changed the file.
 *
 * @param file The absolute path of the file
 * @param digest SHA-256 in lower-case hex
 * @returns `undefined` if no commit has such bytes, if they exceed `maxBytes`, or if Git cannot tell
 */
export async function fileWithDigest(
  context: Context,
  file: string,
  digest: string,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  try {
    const repository = findRepository(dirname(file));
    const path = pathFromTop(repository.top, file);
    if (path === undefined) return undefined;
    const git = async (...args: readonly string[]) => (await runGit(context, repository, args)).stdout;
    const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
    const raw = ["--raw", "-m", "--no-abbrev", "--no-renames", "--format=", `--max-count=${MAX_COMMITS}`];
    const changes = textOf(await git("log", ...raw, "HEAD", "--", path));
    // Only regular files: a link's target or a submodule is not content of this file.
    const sides = [...changes.matchAll(/^:(\d+) (\d+) (\w+) (\w+) /gm)].flatMap(
      ([, modeBefore, modeAfter, before = "", after = ""]) => [
        ...(isFile(modeAfter) ? [after] : []),
        ...(isFile(modeBefore) ? [before] : []),
      ],
    );
    for (const object of new Set(sides)) {
      if (Number(textOf(await git("cat-file", "-s", object))) > maxBytes) continue;
      const bytes = await git("cat-file", "blob", object);
      if (createHash("sha256").update(bytes).digest("hex") === digest) return bytes;
    }
    return undefined;
  } catch (error) {
    if (error instanceof CliError && error.code === "git-failed") return undefined;
    throw error;
  }
}

function isFile(mode: string | undefined): boolean {
  return mode === "100644" || mode === "100755";
}
