import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { findRepository, pathFromTop, repositoryOf } from "./find-repository.ts";
import { runGit } from "./run-git.ts";

/**
 * Returns the files that Git neither tracks nor ignores: all of them without a repository, and none if Git cannot tell.
 *
 * @param files Absolute paths
 */
export async function untrackedFiles(context: Context, files: readonly string[]): Promise<string[]> {
  const top = repositoryOf(resolve(context.cwd));
  if (files.length === 0 || !existsSync(join(top, ".git"))) return [...files];
  try {
    const repository = findRepository(top);
    const paths = new Map(files.map((file) => [file, pathFromTop(top, file)]));
    const asked = [...paths.values()].filter((path) => path !== undefined);
    const { stdout } = await runGit(context, repository, [
      ...["-C", top, `--work-tree=${top}`],
      ...["ls-files", "--others", "--exclude-standard", "-z", "--", ...asked],
    ]);
    const untracked = new Set(new TextDecoder().decode(stdout).split("\0"));
    return files.filter((file) => untracked.has(paths.get(file) ?? "\0"));
  } catch (error) {
    if (error instanceof CliError && error.code === "git-failed") return [];
    throw error;
  }
}
