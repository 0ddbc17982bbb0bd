import type { Part } from "../node.ts";

/** The parts of one sort that two schemas have about kinds that both accept. */
export interface Sides<P extends Part> {
  readonly before: readonly P[];
  readonly after: readonly P[];
}

/** Both sides' parts in order, two at a time; one side may have more. */
export function* zip<P extends Part>({ before, after }: Sides<P>): Iterable<[P | undefined, P | undefined]> {
  for (let i = 0; i < Math.max(before.length, after.length); i++) yield [before[i], after[i]];
}
