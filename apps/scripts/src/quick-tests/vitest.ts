import { join } from "node:path";
import spawn from "cross-spawn";
import { REPOSITORY } from "../packed-packages.ts";

const VITEST = join(REPOSITORY, "node_modules/vitest/vitest.mjs");

/**
 * Returns the arguments that select the projects of a root: the project of that name, and those that run its tests in
 * another way.
 */
export function projectsOf(root: string): string[] {
  return [`--project=${root}`, `--project=${root} (*)`];
}

/** Runs `vitest run` in this terminal; returns its exit code. */
export function runVitest(words: readonly string[], env: NodeJS.ProcessEnv = {}): number {
  const { status, error } = spawn.sync(process.execPath, [VITEST, "run", ...words], {
    cwd: REPOSITORY,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  if (error) throw error;
  return status ?? 1;
}
