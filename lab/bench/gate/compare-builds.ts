import { join } from "node:path";
import { BuildProcess } from "./build-process.ts";
import { comparePairs, type Slowdown } from "./slices.ts";
import { judge, type Verdict } from "./verdict.ts";

const OURS = join(import.meta.dirname, "../..");

/**
 * Compares a row of the current build with the same row of the base, in two new processes each time, until a verdict is
 * reached.
 *
 * @param benchmarks the benchmarks next to the base
 * @param allowed the slowdown at which the row counts as slower. Default: 1.1
 */
export async function compareBuilds(
  suite: string,
  index: number,
  benchmarks: string,
  allowed?: number,
): Promise<Verdict | { readonly missing: string }> {
  const measured: Slowdown[] = [];
  try {
    for (;;) {
      measured.push(await compareOnce(suite, index, benchmarks, measured.length % 2));
      const verdict = judge(measured, allowed);
      if (verdict) return verdict;
    }
  } catch (error) {
    return { missing: (error as Error).message };
  }
}

/**
 * Compares both builds once, each in its own process: in a shared process, the second would have a worse memory layout.
 */
async function compareOnce(suite: string, index: number, benchmarks: string, first: number): Promise<Slowdown> {
  await using ours = new BuildProcess(suite, index, OURS);
  await using base = new BuildProcess(suite, index, benchmarks);
  const [ready] = await Promise.all([ours.ready(), base.ready()]);
  return await comparePairs(ours, base, ready, first); // awaited: both processes end when this returns
}
