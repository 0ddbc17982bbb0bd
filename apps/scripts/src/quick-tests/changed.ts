/**
 * The tests that import a changed file, in the packages that have one: `pnpm test:changed [commit]`. What counts are the files that differ from
 * the commit, which is the last one unless it is named. It is for the inner loop: it sees no file that a test starts or reads, and no
 * package that depends on a changed one, which `pnpm test` asks.
 */
import { sync as spawnSync } from "cross-spawn";
import { REPOSITORY } from "../packed-packages.ts";
import { TEST_ROOTS } from "./roots.ts";
import { projectsOf, runVitest } from "./vitest.ts";

const commit = process.argv[2] ?? "HEAD";

const files = [
  ...git("diff", "--name-only", "-z", "--relative", commit, "--"),
  ...git("ls-files", "--others", "--exclude-standard", "-z"),
];
const roots = TEST_ROOTS.filter((root) => files.some((file) => file.startsWith(`${root}/`)));
if (roots.length === 0) console.log(`No file of a package with tests differs from ${commit}.`);
else process.exitCode = runVitest([...roots.flatMap(projectsOf), `--changed=${commit}`, "--passWithNoTests"]);

function git(...words: string[]): string[] {
  const { status, stdout, stderr } = spawnSync("git", words, { cwd: REPOSITORY, encoding: "utf8" });
  if (status === 0) return stdout.split("\0").filter((file) => file !== "");
  console.error(
    `expected files that differ from ${commit}, received from Git: ${stderr?.trim() ?? "it could not be started"}`,
  );
  process.exit(2);
}
