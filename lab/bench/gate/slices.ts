import { median } from "../measure.ts";
import { TICK_US } from "./processor-time.ts";

/** Times of the current build divided by those of the base: 1.1 is 10 % slower. */
export interface Slowdown {
  /** The ratio of processor time, which other programs hardly change. */
  readonly steady: number;
  /** The ratio on the clock, which includes waiting. */
  readonly clock: number;
}

/** Microseconds of a slice. */
export interface Spent {
  readonly processor: number;
  readonly clock: number;
}

/** A build that has run for a while. */
export interface Ready {
  /** Microseconds of a run, on the clock. */
  readonly clock: number;
  /** Whether it starts programs, whose time is counted in ticks. */
  readonly runsPrograms: boolean;
}

/** A build that runs in slices. */
export interface Measurable {
  run(times: number): Promise<Spent>;
}

/** Both slices of most pairs of this length have the same speed of the machine. */
const SLICE_US = { thread: 2000, programs: 20 * TICK_US };
/** Microseconds of the processor's time that both builds run, and the fewest and the most pairs of slices. */
const MEASURED_US = { thread: 300_000, programs: 1_000_000 };
const PAIRS = { thread: { fewest: 4, most: 150 }, programs: { fewest: 2, most: 20 } };

/**
 * Compares two builds in pairs of slices, every other pair the other way round, so that neither has the faster half of a machine
 * whose speed changes.
 *
 * @param first which begins: 0 for ours, 1 for the base
 */
export async function comparePairs(ours: Measurable, base: Measurable, ready: Ready, first: number): Promise<Slowdown> {
  const kind = ready.runsPrograms ? "programs" : "thread";
  const times = Math.max(1, Math.round(SLICE_US[kind] / ready.clock));
  const pairs: [ours: Spent, base: Spent][] = [];
  const { fewest, most } = PAIRS[kind];
  let spent = 0;
  // A multiple of two, so that each build begins half of the pairs.
  while (pairs.length < fewest || pairs.length % 2 === 1 || (pairs.length < most && spent < MEASURED_US[kind])) {
    const isOursFirst = (pairs.length + first) % 2 === 0;
    const leading = await (isOursFirst ? ours : base).run(times);
    const trailing = await (isOursFirst ? base : ours).run(times);
    pairs.push(isOursFirst ? [leading, trailing] : [trailing, leading]);
    spent += leading.processor + trailing.processor;
  }
  return {
    // Ticks are too coarse for one pair, and precise enough for the sum of all pairs.
    steady: kind === "programs" ? ratioOfSums(pairs) : median(pairs.map(([a, b]) => a.processor / b.processor)),
    clock: median(pairs.map(([a, b]) => a.clock / b.clock)),
  };
}

function ratioOfSums(pairs: readonly [ours: Spent, base: Spent][]): number {
  const sum = (side: 0 | 1): number => pairs.reduce((total, pair) => total + pair[side].processor, 0);
  return sum(0) / sum(1);
}
