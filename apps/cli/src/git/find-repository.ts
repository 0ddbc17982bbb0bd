import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { CliError, isMissing } from "../run/errors.ts";

/** The maximum size of a file that names the folder of a repository, in bytes. */
const MAX_GITFILE_BYTES = 8192;

/** A repository that has a working tree. */
export interface FoundRepository {
  /** The folder with `.git`. */
  readonly top: string;
  /** The folder that is passed to Git as `--git-dir`. */
  readonly gitDir: string;
  /** Whether another repository selects this one, so that a change there can select other contents. */
  readonly isSubmodule: boolean;
}

/**
 * Returns the nearest folder at or above a folder that has an entry `.git`.
 *
 * Git checks out no path with this name, so no commit can place one. Every other folder that looks like a repository
 * (`HEAD`, `objects`, `refs`) can come from a commit.
 */
function topOf(folder: string): string | undefined {
  for (let each = folder; ; each = dirname(each)) {
    if (entryAt(join(each, ".git")) !== undefined) return each;
    if (dirname(each) === each) return undefined;
  }
}

/** Returns the folder with `.git` at or above a folder, or else the folder itself. */
export function repositoryOf(folder: string): string {
  return topOf(folder) ?? folder;
}

/**
 * Finds the repository of a folder: a folder `.git`, or the folder that a Git file `.git` names.
 *
 * @throws {@link CliError} `git-failed` if there is none, `.git` is neither a file nor a folder, or the named
 * repository has another working tree
 */
export function findRepository(folder: string): FoundRepository {
  const top = topOf(folder);
  if (top === undefined) throw noRepository(`${folder} is in no Git repository`);
  const entry = join(top, ".git");
  const stats = entryAt(entry);
  if (stats?.isDirectory()) return { top, gitDir: requireRepository(realpathSync(entry)), isSubmodule: false };
  if (!stats?.isFile()) throw noRepository(`${entry} is neither a folder nor a Git file`);
  const gitDir = requireRepository(folderInGitfile(entry));
  if (entryAt(join(gitDir, "commondir")) === undefined) {
    return { top, gitDir, isSubmodule: topOf(dirname(top)) !== undefined };
  }
  // A working tree made by `git worktree`: both name each other.
  const back = firstLine(join(gitDir, "gitdir"));
  if (realpathOf(resolve(gitDir, back)) === realpathSync(entry)) return { top, gitDir, isSubmodule: false };
  throw noRepository(`${entry} names the repository of another working tree`);
}

/** Returns the last symbolic link inside a repository on the path to a folder, if there is one. */
export function linkInRepository(folder: string): string | undefined {
  for (let each = folder; dirname(each) !== each; each = dirname(each)) {
    if (entryAt(each)?.isSymbolicLink() && topOf(dirname(each)) !== undefined) return each;
  }
  return undefined;
}

/**
 * Returns the path of a file from the top of a working tree, with its names separated by `/`; `undefined` if it is
 * outside. Links above the working tree are followed; those inside count as ordinary names.
 */
export function pathFromTop(top: string, file: string): string | undefined {
  const real = realpathSync(top);
  let path: string | undefined;
  for (let each = dirname(file); ; each = dirname(each)) {
    // A link in the working tree can lead to its top, so the outermost folder counts.
    if (realpathOf(each) === real) path = relative(each, file);
    if (dirname(each) === each) return path?.split(sep).join("/");
  }
}

function requireRepository(gitDir: string): string {
  if (entryAt(join(gitDir, "HEAD")) !== undefined) return gitDir;
  throw noRepository(`${gitDir} is not a repository`);
}

function folderInGitfile(file: string): string {
  const [, named] = /^gitdir: (.+)$/.exec(firstLine(file)) ?? [];
  const folder = named === undefined ? undefined : realpathOf(resolve(dirname(file), named));
  if (folder === undefined) throw noRepository(`${file} names a folder that does not exist`);
  return folder;
}

function firstLine(file: string): string {
  const found = orMissing(() => statSync(file));
  if (!found?.isFile() || found.size > MAX_GITFILE_BYTES) throw noRepository(`${file} is not a Git file`);
  const [line = ""] = readFileSync(file, "utf8").split(/\r?\n/);
  return line;
}

function entryAt(path: string): Stats | undefined {
  return orMissing(() => lstatSync(path));
}

function realpathOf(path: string): string | undefined {
  return orMissing(() => realpathSync(path));
}

function orMissing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isMissing(error) || (error instanceof Error && "code" in error && error.code === "ENOTDIR")) return undefined;
    throw error;
  }
}

function noRepository(message: string): CliError {
  return new CliError("git-failed", message, {
    expected: "a working tree of the repository that has the base",
    fix: "run the command in the repository",
  });
}
