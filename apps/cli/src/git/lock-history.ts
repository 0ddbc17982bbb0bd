import { readFile } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { type LockFile, McpLockError, parseLock } from "@agentprint/mcp-lock/lock";
import { followLinks } from "../files/replace-file.ts";
import type { Context } from "../run/context.ts";
import { isMissing } from "../run/errors.ts";
import { type FoundRepository, findRepository } from "./find-repository.ts";
import { runGit } from "./run-git.ts";

/** The maximum number of a lock file's commits to examine, the newest first. */
const MAX_COMMITS = 1000;

/** The commit that gave an entry its current state. */
export interface LastChange {
  readonly commit: string;
  /** When the commit was made: `2026-11-22T15:17:07Z`. */
  readonly date: string;
  /** Whether the entry can be older, because earlier commits are missing in this clone or are too far back. */
  readonly isOrOlder?: true;
}

/** The commits that gave lock entries their current state, by server name; `uncommitted` if no commit has the entry. */
export type LockHistory = ReadonlyMap<string, LastChange | "uncommitted">;

/** A commit that changed the lock file. */
interface Commit {
  readonly date: string;
  /** The previous commits that changed the lock file. */
  readonly parents: readonly string[];
}

/**
 * Finds in Git the commits that gave the entries of a lock their current state.
 *
 * The history is simplified as `git log` does for a path: if a parent of a commit has the entry in the same state, the
 * search continues only there. A lock that cannot be trusted is treated like an empty lock.
 *
 * @throws CliError `git-failed` when Git is missing or fails, or the lock is in no repository
 */
export async function readLockHistory(context: Context, file: string, lock: LockFile): Promise<LockHistory> {
  const path = await followLinks(context.pathOf(file));
  const found = findRepository(dirname(resolve(path)));
  const repository = new LockRepository(context, found, relative(found.top, resolve(path)).split(sep).join("/"));
  const shallow = await repository.shallowCommits();
  const commits = await repository.commits();
  const [newest] = commits.keys();
  const history = new Map<string, LastChange | "uncommitted">();
  for (const { name, digest } of lock.servers) {
    const isIn = async (commit: string) => (await repository.digestsAt(commit)).get(name) === digest;
    if (newest === undefined || !(await isIn(newest))) {
      history.set(name, "uncommitted");
      continue;
    }
    let commit = newest;
    for (let older: string | undefined = newest; older !== undefined; ) {
      commit = older;
      older = await findFirst(
        (commits.get(commit)?.parents ?? []).filter((parent) => commits.has(parent)),
        isIn,
      );
    }
    const { date = "", parents = [] } = commits.get(commit) ?? {};
    const isOrOlder = shallow.has(commit) || parents.some((parent) => !commits.has(parent));
    history.set(name, { commit, date, ...(isOrOlder && { isOrOlder }) });
  }
  return history;
}

async function findFirst<T>(items: readonly T[], matches: (item: T) => Promise<boolean>): Promise<T | undefined> {
  for (const item of items) if (await matches(item)) return item;
  return undefined;
}

/** The history of one lock file in Git. */
class LockRepository {
  readonly #context: Context;
  readonly #repository: FoundRepository;
  /** The path of the lock file from the top of the working tree. */
  readonly #path: string;
  readonly #digests = new Map<string, ReadonlyMap<string, string>>();

  constructor(context: Context, repository: FoundRepository, path: string) {
    this.#context = context;
    this.#repository = repository;
    this.#path = path;
  }

  /** Returns the commits at which a shallow clone ends. */
  async shallowCommits(): Promise<ReadonlySet<string>> {
    const path = (await this.#git(["rev-parse", "--git-path", "shallow"])).trimEnd();
    const list = await readFile(resolve(this.#repository.gitDir, path), "utf8").catch((error: unknown) => {
      if (isMissing(error)) return "";
      throw error;
    });
    return new Set(list.split("\n"));
  }

  /** Returns the commits that changed the lock file, the newest first; none if nothing is committed yet. */
  async commits(): Promise<ReadonlyMap<string, Commit>> {
    const listed = await this.#git([
      "rev-list",
      // Before the first commit there is no HEAD.
      "--ignore-missing",
      "--topo-order",
      "--parents",
      `--max-count=${MAX_COMMITS}`,
      "--format=%ct",
      "HEAD",
      "--",
      this.#path,
    ]);
    const found = listed.matchAll(/^commit (\w+)((?: \w+)*)\n(\d+)$/gm);
    return new Map(
      [...found].map(([, id = "", parents = "", seconds = ""]) => [
        id,
        { date: utc(seconds), parents: words(parents) },
      ]),
    );
  }

  /** Returns the digests of the lock's entries in a commit, by server name. */
  async digestsAt(commit: string): Promise<ReadonlyMap<string, string>> {
    const known = this.#digests.get(commit) ?? (await this.#readDigests(commit));
    this.#digests.set(commit, known);
    return known;
  }

  async #readDigests(commit: string): Promise<ReadonlyMap<string, string>> {
    const listed = await this.#git(["ls-tree", "--full-tree", commit, "--", this.#path]);
    const [, object] = /^\d+ blob (\w+)\t/.exec(listed) ?? [];
    if (object === undefined) return new Map();
    const { stdout: text } = await runGit(this.#context, this.#repository, ["cat-file", "blob", object]);
    try {
      return new Map(parseLock(text).servers.map(({ name, digest }) => [name, digest]));
    } catch (error) {
      if (error instanceof McpLockError) return new Map();
      throw error;
    }
  }

  async #git(args: readonly string[]): Promise<string> {
    return new TextDecoder().decode((await runGit(this.#context, this.#repository, args)).stdout);
  }
}

function words(text: string): string[] {
  return text.split(" ").filter((word) => word !== "");
}

function utc(seconds: string): string {
  return new Date(Number(seconds) * 1000).toISOString().replace(".000Z", "Z");
}
