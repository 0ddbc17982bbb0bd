import { type Allowance, allowanceOf, newAllowances } from "./allowances.ts";
import { buildBase } from "./build-base.ts";
import { changedProjects } from "./changed-projects.ts";
import { compareBuilds } from "./compare-builds.ts";
import { findBase } from "./find-base.ts";
import { withDependencies } from "./projects.ts";
import type { Verdict } from "./verdict.ts";

/** The projects whose programs the rows run: the command, and the plugins' scripts. */
const PROGRAMS = ["apps/cli", "integrations"];

/** The half of the gate that compares the current build with the build before the change. */
export interface Gate {
  /** Which commit is the base and why, or the reason why nothing is compared. */
  readonly description: string;
  /** Compares a row; returns `undefined` if there is no base, or if nothing that the row runs differs from the base. */
  compare(
    row: { readonly suite: string; readonly index: number; readonly name: string },
    projects: readonly string[],
  ): Promise<Verdict | { readonly missing: string } | undefined>;
  /** Returns the allowances that no row used. */
  unused(): readonly string[];
}

/**
 * Finds and builds the checkout's base.
 *
 * @param root the checkout
 * @param everyRow whether to compare rows whose code did not change, too, to see how steady the comparison is
 * @throws Error if `lab/bench/allowances.json` is malformed
 */
export function openGate(root: string, everyRow: boolean): Gate {
  const none = (why: string): Gate => ({
    description: `Nothing is compared with the build before the change: ${why}.`,
    compare: async () => undefined,
    unused: () => [],
  });
  const base = findBase(root);
  if ("missing" in base) return none(base.missing);
  const { commit, reason } = base;
  let built: ReturnType<typeof buildBase>;
  try {
    built = buildBase(root, commit);
  } catch (error) {
    return none(`${commit} (${reason}) cannot be built: ${(error as Error).message}`);
  }
  const changed = changedProjects(root, built.folder);
  const allowances = newAllowances(root, built.folder);
  const left = new Set<Allowance>(allowances);
  return {
    description: `Compared with the build of ${commit} (${reason}); changed: ${[...changed].sort().join(", ") || "nothing"}.`,
    async compare({ suite, index, name }, projects) {
      const allowance = allowanceOf(allowances, suite, name);
      if (allowance) left.delete(allowance);
      const run = projects.length > 0 ? projects : PROGRAMS;
      if (!everyRow && !withDependencies(root, run).some((project) => changed.has(project))) return undefined;
      return compareBuilds(suite, index, built.benchmarks, allowance?.slowdown);
    },
    unused: () => [...left].map(({ row }) => row),
  };
}
