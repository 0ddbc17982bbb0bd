/**
 * The quick tests: `pnpm test`. Asks those of the packages that have not passed as they are now, all in one process of vitest, which takes
 * half the processor that a process for each takes. What has passed is kept in turbo's cache, where `turbo run test` finds it, too.
 *
 * `--force` asks them all. With any other words it is `vitest run` with these, and keeps nothing.
 *
 * With the variable `COVERAGE`, the packages whose lines have to run in the quick tests are asked in a process of their own that measures it.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasToBeCovered } from "../ci-coverage.ts";
import { keepPassed, type TestTask, testTasks } from "./tasks.ts";
import { projectsOf, runVitest } from "./vitest.ts";

const FORCE = "--force";
const words = process.argv.slice(2);

process.exitCode = words.every((word) => word === FORCE) ? ask(tasksToAsk(words.includes(FORCE))) : runVitest(words);

function tasksToAsk(isForced: boolean): TestTask[] {
  const tasks = testTasks();
  const cached = tasks.filter(({ isCached }) => isCached && !isForced);
  if (cached.length > 0) {
    console.log(
      `Not run again, as nothing that they read has changed since they passed: the quick tests of ${roots(cached)}.`,
    );
    console.log(`\`pnpm test ${FORCE}\` runs them all.`);
  }
  return tasks.filter((task) => !cached.includes(task));
}

/** Asks tasks and keeps those that passed; returns the exit code. */
function ask(tasks: readonly TestTask[]): number {
  if (!process.env["COVERAGE"]) return askAtOnce(tasks, []);
  const covered = tasks.filter(({ root }) => hasToBeCovered(root));
  return Math.max(
    askAtOnce(covered, ["--coverage"]),
    askAtOnce(
      tasks.filter((task) => !covered.includes(task)),
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
      console.log("Not all that passed could be kept: the next run asks it again.");
    }
    return status;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function roots(tasks: readonly TestTask[]): string {
  return tasks
    .map(({ root }) => root)
    .sort()
    .join(", ");
}
