import { sync as spawnSync } from "cross-spawn";
import { REPOSITORY } from "../packed-packages.ts";
import { QUICK_ROOTS } from "./roots.ts";
import { projectsOf, runVitest } from "./vitest.ts";

/**
 * Runs the tests that import a file that differs from a commit, in the packages that contain such a file; returns the
 * exit code. It does not see files that a test starts or reads, nor packages that depend on a changed one.
 */
export function askChanged(commit: string): number {
  const changed = git("diff", "--name-only", "-z", "--relative", commit, "--");
  const added = git("ls-files", "--others", "--exclude-standard", "-z");
  if (changed === undefined || added === undefined) return 2;
  const files = [...changed, ...added];
  const roots = QUICK_ROOTS.filter((root) => files.some((file) => file.startsWith(`${root}/`)));
  if (roots.length > 0) return runVitest([...roots.flatMap(projectsOf), `--changed=${commit}`, "--passWithNoTests"]);
  console.log(`No file of a package with quick tests differs from ${commit}.`);
  return 0;

  function git(...words: string[]): string[] | undefined {
    const { status, stdout, stderr } = spawnSync("git", words, { cwd: REPOSITORY, encoding: "utf8" });
    if (status === 0) return stdout.split("\0").filter((file) => file !== "");
    console.error(
      `expected files that differ from ${commit}, received from Git: ${stderr?.trim() ?? "it could not be started"}`,
    );
    return undefined;
  }
}
