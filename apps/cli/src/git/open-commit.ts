import { realpathSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { type FoundRepository, findRepository, linkInRepository, pathFromTop } from "./find-repository.ts";
import { runGit } from "./run-git.ts";

/** The maximum length of a commit's name, in UTF-16 code units. */
const MAX_REF_LENGTH = 1000;

/** A commit of the repository in which the command runs. */
export interface Commit {
  /** The name that the user gave, and the beginning of the commit's id. */
  readonly name: string;
  /** The id: 40 or 64 hex digits. */
  readonly id: string;
  /**
   * Returns the content that a file has in the commit; `undefined` if the commit has no such file.
   *
   * @param file As the user named it: relative to the working directory, or absolute. It is looked up by name, and no
   * link of the working tree is followed, because the reviewed commit could have placed it.
   * @throws {@link CliError} `git-failed` if the file is outside of the repository or in a submodule, or is or lies
   * behind a symbolic link in the commit; `too-large`
   */
  read(file: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** Returns whether a file has a name in the repository, so that a commit can contain it. */
  canHave(file: string): boolean;
}

/**
 * Finds a commit by a name that Git knows, such as `origin/main` or an id.
 *
 * @param option The option with which the name was given, for errors
 * @throws {@link CliError} `usage` when the name cannot name a commit; `git-failed` when there is no Git, no
 * repository, no such commit or more than one, or the working directory is in a submodule or behind a link of the
 * repository
 */
export async function openCommit(context: Context, ref: string, option: string = "--base"): Promise<Commit> {
  if (!isRef(ref)) {
    throw new CliError("usage", `this is not the name of a commit: ${ref.slice(0, 100) || "nothing"}`, {
      where: option,
      expected: "a branch, a tag or an id, such as origin/main",
    });
  }
  const folder = workingFolder(context);
  const repository = requireOwnFolder(folder);
  const git: Git = (...args) => runGit(context, repository, args);
  const pathOf = (file: string) => pathFromTop(repository.top, resolve(isAbsolute(file) ? file : join(folder, file)));
  const id = await findCommit(git, ref, option);
  return {
    id,
    name: `${ref} (${id.slice(0, 12)})`,
    async read(file, maxBytes) {
      const path = pathOf(file);
      if (path === undefined) throw outsideOf(repository.top, file);
      const object = await findBlob(git, id, path, `${file} in ${ref}`);
      if (object === undefined) return undefined;
      const bytes = Number(await textOf(git("cat-file", "-s", object)));
      if (bytes <= maxBytes) return (await git("cat-file", "blob", object)).stdout;
      throw new CliError("too-large", `${file} in ${ref} has ${bytes} bytes`, {
        expected: `at most ${maxBytes} bytes`,
      });
    },
    canHave: (file) => pathOf(file) !== undefined,
  };
}

/**
 * Returns whether a name has no white space, no control characters, no option prefix, and no search in commit messages,
 * which others write.
 */
function isRef(ref: string): boolean {
  return ref.length <= MAX_REF_LENGTH && /^[^\p{C}\s:-][^\p{C}\s]*$/u.test(ref) && !ref.includes("^{/");
}

/**
 * Returns the working directory under the name by which it was entered: a process sees it with links resolved, but the
 * shell leaves the name in `PWD`.
 */
function workingFolder({ cwd, env }: Context): string {
  const real = realpathSync(cwd);
  const named = cwd === "." ? (env["PWD"] ?? "") : resolve(cwd);
  return isAbsolute(named) && isSameFolder(named, real) ? resolve(named) : real;
}

function isSameFolder(named: string, real: string): boolean {
  try {
    return realpathSync(named) === real && realpathSync(resolve(named)) === real;
  } catch {
    return false;
  }
}

/** Returns the repository of a folder, after checking that no change can replace the folder under this name. */
function requireOwnFolder(folder: string): FoundRepository {
  const link = linkInRepository(folder);
  if (link !== undefined) {
    throw new CliError("git-failed", `the working directory leads through the symbolic link ${link}`, {
      expected: "a folder that the base has under the same name",
      fix: "run the command in the folder itself: a change can place a link to another folder",
    });
  }
  const repository = findRepository(folder);
  if (!repository.isSubmodule) return repository;
  throw new CliError("git-failed", `${repository.top} is a submodule`, {
    expected: "the repository that has the base",
    fix: "run the command in a separate clone: a change in the repository around a submodule can name a different one",
  });
}

type Git = (...args: readonly string[]) => ReturnType<typeof runGit>;

async function textOf(output: ReturnType<Git>): Promise<string> {
  return new TextDecoder().decode((await output).stdout);
}

async function findCommit(git: Git, ref: string, option: string): Promise<string> {
  const { stdout, stderr } = await findObject(git, ref, option);
  const id = new TextDecoder().decode(stdout).trimEnd();
  if (id === ref || !(await hasOtherMeaning(git, ref, stderr))) return id;
  throw new CliError("git-failed", `${ref} names more than one thing`, {
    where: option,
    expected: "a name that only one branch, tag or commit has",
    fix: "give the full name, such as refs/remotes/origin/main, or the id of the commit",
  });
}

/**
 * Returns whether a name is ambiguous: Git took the first of several refs and warned, such as a tag before a branch of
 * origin, or took a tag named like a remote branch, such as `main`, which a clone has under another name.
 */
async function hasOtherMeaning(git: Git, ref: string, warnings: string): Promise<boolean> {
  if (/ambiguous/i.test(warnings)) return true;
  const [name = ""] = ref.split(/[~^]|@\{/);
  if (name.startsWith("refs/")) return false;
  const format = "--format=%(refname)";
  const refs = (await textOf(git("for-each-ref", format, `refs/tags/${name}`, `refs/remotes/*/${name}`))).split("\n");
  return refs.includes(`refs/tags/${name}`) && refs.some((each) => each.startsWith("refs/remotes/"));
}

async function findObject(git: Git, ref: string, option: string): ReturnType<Git> {
  try {
    return await git("rev-parse", "--verify", "--end-of-options", `${ref}^{commit}`);
  } catch (error) {
    const isShallow = (await textOf(git("rev-parse", "--is-shallow-repository"))).trimEnd() === "true";
    throw gitFailed(error, `Git knows no commit ${ref}`, {
      where: option,
      expected: isShallow
        ? "a commit of this clone, which is shallow"
        : "a branch, a tag or an id, such as origin/main",
      fix: isShallow
        ? "run git fetch --depth=1 origin <commit>, or clone without --depth (fetch-depth: 0 of actions/checkout)"
        : "run git fetch origin, then check again",
    });
  }
}

/** Returns the Git object that holds a file in a commit. */
async function findBlob(git: Git, commit: string, path: string, where: string): Promise<string | undefined> {
  const steps = path.split("/").map((_, index, names) => names.slice(0, index + 1).join("/"));
  const listed = await textOf(git("ls-tree", "-z", "--full-tree", commit, "--", ...steps));
  for (const line of listed.split("\0")) {
    const [, mode, object, name] = /^(\d+) (?:blob|commit) (\w+)\t(.*)$/s.exec(line) ?? [];
    if (mode === "160000") {
      throw new CliError("git-failed", `${name} is a submodule`, {
        where,
        fix: "run the command in the submodule, in a separate clone",
      });
    }
    if (mode === "120000") {
      throw new CliError("git-failed", `${name} is a symbolic link`, {
        where,
        fix: "give the path of the file itself",
      });
    }
    if (name === path) return object;
  }
  return undefined;
}

function outsideOf(top: string, file: string): CliError {
  return new CliError("git-failed", `${file} is outside the repository`, {
    where: top,
    expected: "a file that the base has, too",
  });
}

function gitFailed(error: unknown, message: string, details: CliError["details"]): unknown {
  return error instanceof CliError && error.code === "git-failed" && error.message !== "Git is not installed"
    ? new CliError("git-failed", message, { ...details, cause: error })
    : error;
}
