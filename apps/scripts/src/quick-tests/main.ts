/**
 * The quick tests: `pnpm test`. Runs the tests of the packages that have not passed in their current state, all in one
 * Vitest process, which takes half the processor time of one process per package. Passed tests are recorded in turbo's
 * cache.
 *
 * `--force` runs them all. `--coverage` measures which lines run: it runs the tests of the packages that need full
 * coverage, in a separate process, even if they have passed. `--changed [commit]` is for the inner loop: in the
 * packages with a file that differs from the commit, by default the last one, it runs the tests that import such a
 * file. Any other arguments are passed to `vitest run`. With `--changed` or other arguments, passed tests are not
 * recorded.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasToBeCovered } from "../ci-coverage.ts";
import { askChanged } from "./changed.ts";
import { keepPassed, type TestTask, testTasks } from "./tasks.ts";
import { projectsOf, runVitest } from "./vitest.ts";

const OPTIONS = ["--force", "--coverage"];
const words = process.argv.slice(2);
const isForced = words.includes("--force");
const isMeasured = words.includes("--coverage");

const [first = "", commit = "HEAD", ...more] = words.flatMap((word) => word.split("="));

if (first === "--changed" && more.length === 0) process.exitCode = askChanged(commit);
else process.exitCode = words.every((word) => OPTIONS.includes(word)) ? ask(testTasks()) : runVitest(words);

/** Runs the tasks that are due, and records those that pass; returns the exit code. */
function ask(tasks: readonly TestTask[]): number {
  const covered = tasks.filter(({ root }) => isMeasured && hasToBeCovered(root));
  const others = tasks.filter((task) => !covered.includes(task));
  const cached = others.filter(({ isCached }) => isCached && !isForced);
  if (cached.length > 0) {
    const roots = cached.map(({ root }) => root).sort();
    console.log(`Not run again, as nothing that they read has changed since they passed: ${roots.join(", ")}.`);
    console.log("`pnpm test --force` runs them all.");
  }
  return Math.max(
    askAtOnce(covered, ["--coverage"]),
    askAtOnce(
      others.filter((task) => !cached.includes(task)),
      [],
    ),
  );
}

function askAtOnce(tasks: readonly TestTask[], more: readonly string[]): number {
  if (tasks.length === 0) return 0;
  const folder = mkdtempSync(join(tmpdir(), "agentprint-tests-"));
  try {
    const file = join(folder, "passed");
    const status = runVitest([...tasks.flatMap(({ root }) => projectsOf(root)), ...more], {
      AGENTPRINT_PASSED_FILE: file,
    });
    const passed = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
    if (!keepPassed(tasks.filter(({ root }) => passed.includes(root)))) {
      console.log("Some of the passed tests could not be recorded: the next run runs them again.");
    }
    return status;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
