import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canRun, outputOf } from "@agentprint/testing/programs";

/** Whether Git is installed; without it, the tests that need a repository are skipped. */
export const HAS_GIT: boolean = canRun("git");

/**
 * Variables that make Git ignore the user's and the system's settings, and never start a process that tidies a
 * repository, which lives only for one test.
 */
const ENV = {
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "maintenance.auto",
  GIT_CONFIG_VALUE_0: "false",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "C",
  GIT_COMMITTER_EMAIL: "c@example.com",
};

/** A real Git repository in a folder. */
export class Repository {
  readonly folder: string;
  #seconds = 1_700_000_000;

  /** Writes the files that Git needs in an empty repository, because `git init` would start a process in each test. */
  constructor(folder: string) {
    this.folder = folder;
    for (const name of ["objects", "refs"]) mkdirSync(join(folder, ".git", name), { recursive: true });
    writeFileSync(join(folder, ".git/HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(folder, ".git/config"), "[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
  }

  git(...args: readonly string[]): string {
    const { GIT_DIR: _, GIT_INDEX_FILE: __, ...env } = process.env;
    const date = `${this.#seconds} +0000`;
    const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    return outputOf("git", args, {
      cwd: this.folder,
      env: { ...env, ...ENV, ...dates },
      stdio: "pipe",
    }).trim();
  }

  /** Commits everything, dated a day after the previous commit; returns the commit's id. */
  commit(): string {
    this.#seconds += 86_400;
    this.git("add", "--all");
    const said = this.git("-c", "core.abbrev=no", "commit", "--allow-empty", "--message=change");
    const [, id = ""] = /^\[[^\]]* ([0-9a-f]{40})\]/.exec(said) ?? [];
    if (id === "") throw new Error(`no commit: ${said}`);
    return id;
  }
}
