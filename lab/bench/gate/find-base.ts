import { spawnSync } from "node:child_process";

/** The source folders of both builds: a change elsewhere does not affect speed. */
const BUILT = ["packages", "apps", "lab", "integrations", "fixtures", "pnpm-lock.yaml", "tsconfig.base.json"];

/** The commit to compare with and the reason for it, or the reason why there is none. */
export type Base = { readonly commit: string; readonly reason: string } | { readonly missing: string };

/**
 * Returns the commit before the measured change: the commit that `BENCH_BASE` names; `HEAD` if files differ from it;
 * the commit at which this branch left its target branch; or else the parent of `HEAD`.
 *
 * @param root a folder of the checkout
 * @param env `BENCH_BASE`, a commit or `last-release`, and `GITHUB_BASE_REF`, the target branch of a pull request
 */
export function findBase(root: string, env: Readonly<Record<string, string | undefined>> = process.env): Base {
  const git = (...args: readonly string[]): string | undefined => {
    const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
    return status === 0 ? stdout.trim() : undefined;
  };
  const toCommit = (name: string): string | undefined =>
    git("rev-parse", "--quiet", "--verify", "--end-of-options", `${name}^{commit}`);

  const head = toCommit("HEAD");
  if (head === undefined) return { missing: "this is not a Git checkout with a commit" };
  const named = env["BENCH_BASE"];
  if (named) {
    const commit = named === "last-release" ? lastRelease(git) : toCommit(named);
    return commit
      ? { commit, reason: `BENCH_BASE, ${named}` }
      : { missing: `BENCH_BASE, ${named}, is not a commit of this checkout` };
  }
  if (git("status", "--porcelain", "--", ...BUILT)) return { commit: head, reason: "HEAD, from which files differ" };
  const target = env["GITHUB_BASE_REF"];
  const branches = [target && `origin/${target}`, "@{upstream}", "origin/HEAD", "origin/main", "main"];
  for (const branch of branches) {
    if (!branch || toCommit(branch) === undefined) continue;
    const commit = git("merge-base", branch, "HEAD");
    if (commit && commit !== head) return { commit, reason: `where this branch left ${branch}` };
  }
  const commit = toCommit("HEAD~1");
  if (commit) return { commit, reason: "the commit before HEAD" };
  return { missing: "HEAD has no parent in this checkout, which is a shallow clone or has only one commit" };
}

/** Returns the commit of the newest release; before the first release, the commit that set the command's version. */
function lastRelease(git: (...args: readonly string[]) => string | undefined): string | undefined {
  return (
    git("rev-list", "--max-count=1", "--tags=agentprint@*") ||
    git("log", "--max-count=1", "--format=%H", '-G"version":', "--", "apps/cli/package.json")
  );
}
