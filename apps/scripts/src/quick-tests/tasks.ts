import { existsSync } from "node:fs";
import { join } from "node:path";
import { IS_ROOT } from "@agentprint/testing/other-accounts";
import { whyNoPostgres } from "@agentprint/testing/postgres-programs";
import { sync as spawnSync } from "cross-spawn";
import { REPOSITORY } from "../packed-packages.ts";
import { QUICK_ROOTS } from "./roots.ts";

const TURBO = join(REPOSITORY, "node_modules/.bin/turbo");
/** The docs are not a package: the root has a separate task for their tests. */
const DOCS_TASK = "//#test:docs";

/**
 * Returns text for the hash of each task that names what this machine has of the things that some tests need: skipped
 * tests then run as soon as these are available.
 */
function machine(): string {
  const acceptanceData = existsSync(join(REPOSITORY, "../shared"));
  return JSON.stringify({ acceptanceData, postgres: whyNoPostgres() === undefined, root: IS_ROOT });
}

/** The quick tests of one package, as turbo knows them. */
export interface TestTask {
  /** For example `@agentprint/trail#test`. */
  readonly id: string;
  /** For example `packages/trail`, which is also the name of its Vitest project. */
  readonly root: string;
  /**
   * The digest of everything that the tests read: the files of the package and of its dependencies, the `inputs` and
   * `env` in `turbo.json`, and whatever tests need from the machine.
   */
  readonly hash: string;
  /** Whether the tests have passed with this hash. */
  readonly isCached: boolean;
}

interface DryRun {
  readonly tasks: readonly {
    readonly taskId: string;
    readonly task: string;
    readonly directory: string;
    readonly command: string;
    readonly hash: string;
    readonly cache: { readonly status: string };
  }[];
}

/**
 * Returns the tests of every root, as turbo hashes them now. If turbo fails, or without a Git checkout, where it would
 * read every file of `node_modules`, all have to run and no result is recorded.
 *
 * @throws Error if a root has tests but no script `test`.
 */
export function testTasks(): TestTask[] {
  const inGit = run("git", ["rev-parse", "--is-inside-work-tree"]).status === 0;
  const { status, stdout, stderr } = inGit ? runTurbo(["test", DOCS_TASK, "--dry=json"]) : NO_GIT;
  if (status !== 0) {
    console.log(`All quick tests run, and no result is kept: ${stderr.trim()}`);
    return QUICK_ROOTS.map((root) => ({ id: "", root, hash: "", isCached: false }));
  }
  const tasks = (JSON.parse(stdout) as DryRun).tasks
    .filter(({ task, command }) => task.startsWith("test") && command !== "<NONEXISTENT>")
    .map(({ taskId, directory, hash, cache }) => ({
      id: taskId,
      root: taskId === DOCS_TASK ? "docs" : directory.replaceAll("\\", "/"),
      hash,
      isCached: cache.status === "HIT",
    }));
  const unknown = QUICK_ROOTS.filter((root) => !tasks.some((task) => task.root === root));
  if (unknown.length > 0) throw new Error(`expected a script "test" in the package.json of ${unknown.join(", ")}`);
  return tasks;
}

/**
 * Records in turbo's cache that tests have passed; returns whether it could. A task whose files have changed meanwhile
 * is not recorded.
 */
export function keepPassed(tasks: readonly TestTask[]): boolean {
  const ids = tasks.map(({ id }) => id).filter((id) => id !== "");
  if (ids.length === 0) return true;
  const { status } = runTurbo([...ids, "--continue", "--output-logs=none"], {
    AGENTPRINT_TESTS_PASSED: tasks.map(({ hash }) => hash).join(" "),
  });
  return status === 0;
}

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const NO_GIT: Ended = { status: null, stdout: "", stderr: "this is not a Git checkout" };

function runTurbo(words: readonly string[], env: NodeJS.ProcessEnv = {}): Ended {
  return run(TURBO, ["run", ...words], { AGENTPRINT_TEST_MACHINE: machine(), ...env });
}

function run(program: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): Ended {
  const options = {
    cwd: REPOSITORY,
    encoding: "utf8",
    env: { ...process.env, ...env },
    maxBuffer: Infinity,
  } as const;
  const { status, stdout, stderr, error } = spawnSync(program, [...words], options);
  return { status, stdout: stdout ?? "", stderr: error?.message ?? stderr };
}
