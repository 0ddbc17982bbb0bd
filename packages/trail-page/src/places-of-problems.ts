import type { ChainReport } from "@agentprint/trail/chain";

/** Returns the places in the input at which records have a problem. */
export function placesOfProblems(chains: readonly Pick<ChainReport, "problems">[]): Set<number> {
  return new Set(chains.flatMap(({ problems }) => problems.map(({ index, position }) => position ?? index)));
}
