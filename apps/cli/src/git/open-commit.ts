import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import { runGit } from "./run-git.ts";

/** Of the name of a commit, in UTF-16 code units. */
const MAX_REF_LENGTH = 1000;

/** A commit of the repository that the command runs in. */
export interface Commit {
  /** The name that the user gave, and the beginning of the id. */
  readonly name: string;
  /**
   * The content that a file has in the commit; `undefined` where the commit has no such file.
   *
   * @param file As the working tree has it: relative to the working directory, or absolute. Links are not followed, because
   * a commit that is reviewed could have placed them.
   * @throws {@link CliError} `git-failed` where the file lies outside of the repository or in a submodule, or is or lies behind a
   * symbolic link in the commit; `too-large`
   */
  read(file: string, maxBytes: number): Promise<Uint8Array | undefined>;
}

/**
 * Finds a commit by a name that Git knows, such as `origin/main` or an id.
 *
 * @throws {@link CliError} `usage` when the name cannot be that of a commit; `git-failed` when there is no Git, no repository or no
 * such commit
 */
export async function openCommit(context: Context, ref: string): Promise<Commit> {
  if (!isRef(ref)) {
    throw new CliError("usage", `this is not the name of a commit: ${ref.slice(0, 100) || "nothing"}`, {
      where: "--base",
      expected: "a branch, a tag or an id, such as origin/main",
    });
  }
  const folder = await realpath(context.pathOf("."));
  const git = async (...args: readonly string[]): Promise<string> =>
    new TextDecoder().decode(await runGit(context, folder, args));
  const [top = ""] = (await inRepository(() => git("rev-parse", "--show-toplevel"))).split("\n");
  const id = await findCommit(git, ref);
  return {
    name: `${ref} (${id.slice(0, 12)})`,
    async read(file, maxBytes) {
      const path = await pathInRepository(top, folder, file);
      const object = await findBlob(git, id, path, `${file} in ${ref}`);
      if (object === undefined) return undefined;
      const bytes = Number(await git("cat-file", "-s", object));
      if (bytes <= maxBytes) return runGit(context, folder, ["cat-file", "blob", object]);
      throw new CliError("too-large", `${file} in ${ref} has ${bytes} bytes`, {
        expected: `at most ${maxBytes} bytes`,
      });
    },
  };
}

/** A name without white space, control characters and what is read as an option. */
function isRef(ref: string): boolean {
  return ref.length <= MAX_REF_LENGTH && /^[^\p{C}\s-][^\p{C}\s]*$/u.test(ref);
}

async function inRepository<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw gitFailed(error, error instanceof Error ? error.message : String(error), {
      expected: "a working tree of the repository that has the base",
      fix: "run the command in the repository",
    });
  }
}

type Git = (...args: readonly string[]) => Promise<string>;

async function findCommit(git: Git, ref: string): Promise<string> {
  try {
    return (await git("rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`)).trimEnd();
  } catch (error) {
    const isShallow = (await git("rev-parse", "--is-shallow-repository")).trimEnd() === "true";
    throw gitFailed(error, `Git knows no commit ${ref}`, {
      where: "--base",
      expected: isShallow
        ? "a commit of this clone, which is shallow"
        : "a branch, a tag or an id, such as origin/main",
      fix: isShallow
        ? "run git fetch --depth=1 origin <commit>, or clone without --depth (fetch-depth: 0 of actions/checkout)"
        : "run git fetch origin, then check again",
    });
  }
}

/** The object that holds a file in a commit. */
async function findBlob(git: Git, commit: string, path: string, where: string): Promise<string | undefined> {
  const steps = path.split("/").map((_, index, names) => names.slice(0, index + 1).join("/"));
  const listed = await git("ls-tree", "-z", "--full-tree", commit, "--", ...steps);
  for (const line of listed.split("\0")) {
    const [, mode, object, name] = /^(\d+) (?:blob|commit) (\w+)\t(.*)$/s.exec(line) ?? [];
    if (mode === "160000") {
      throw new CliError("git-failed", `${name} is a submodule`, { where, fix: "run the command in the submodule" });
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

/** The path of a file from the top of the repository, with `/` between folders. */
async function pathInRepository(top: string, folder: string, file: string): Promise<string> {
  const written = isAbsolute(file) ? file : join(folder, file);
  // The way to the repository can lead through a link, such as that from /tmp to another folder.
  const behindLinks = async () => join(await realpath(dirname(written)), basename(written));
  for (const given of [async () => written, behindLinks]) {
    const path = relative(resolve(top), await given());
    if (path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path)) return path.split(sep).join("/");
  }
  throw new CliError("git-failed", `${file} lies outside of the repository`, {
    where: top,
    expected: "a file that the base has, too",
  });
}

function gitFailed(error: unknown, message: string, details: CliError["details"]): unknown {
  return error instanceof CliError && error.code === "git-failed"
    ? new CliError("git-failed", message, { ...details, cause: error })
    : error;
}
