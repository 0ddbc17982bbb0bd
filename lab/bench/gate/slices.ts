import { median } from "../measure.ts";
import { TICK_US } from "./processor-time.ts";

/** The current build's times divided by the base's: 1.1 is 10 % slower. */
export interface Slowdown {
  /** The ratio of processor time, which other programs hardly change. */
  readonly steady: number;
  /** The ratio of wall-clock time, which includes waiting. */
  readonly clock: number;
}

/** The length of a slice in microseconds. */
export interface Spent {
  readonly processor: number;
  readonly clock: number;
}

/** A build whose code has been running long enough to be compiled. */
export interface Ready {
  /** The wall-clock time of a run in microseconds. */
  readonly clock: number;
  /** Whether the build starts programs, whose time is counted in ticks. */
  readonly runsPrograms: boolean;
}

/** A build that runs in slices. */
export interface Measurable {
  run(times: number): Promise<Spent>;
}

/** The length of a slice: in most pairs, the machine then has the same speed for both slices. */
const SLICE_US = { thread: 2000, programs: 20 * TICK_US };
/**
 * For how many microseconds of processor time both builds run, and the minimum and maximum number of pairs of slices.
 */
const MEASURED_US = { thread: 300_000, programs: 1_000_000 };
const PAIRS = { thread: { fewest: 4, most: 150 }, programs: { fewest: 2, most: 20 } };

/**
 * Compares two builds in pairs of slices, every other pair in reverse order, so that neither always gets the faster
 * half when the machine's speed changes.
 *
 * @param first which build begins: 0 for ours, 1 for the base
 */
export async function comparePairs(ours: Measurable, base: Measurable, ready: Ready, first: number): Promise<Slowdown> {
  const kind = ready.runsPrograms ? "programs" : "thread";
  const times = Math.max(1, Math.round(SLICE_US[kind] / ready.clock));
  const pairs: [ours: Spent, base: Spent][] = [];
  const { fewest, most } = PAIRS[kind];
  let spent = 0;
  // The number of pairs is even, so that each build begins half of them.
  while (pairs.length < fewest || pairs.length % 2 === 1 || (pairs.length < most && spent < MEASURED_US[kind])) {
    const isOursFirst = (pairs.length + first) % 2 === 0;
    const leading = await (isOursFirst ? ours : base).run(times);
    const trailing = await (isOursFirst ? base : ours).run(times);
    pairs.push(isOursFirst ? [leading, trailing] : [trailing, leading]);
    spent += leading.processor + trailing.processor;
  }
  return {
    // Ticks are too coarse for one pair, but precise enough for the sum of all pairs.
    steady: kind === "programs" ? ratioOfSums(pairs) : median(pairs.map(([a, b]) => a.processor / b.processor)),
    clock: median(pairs.map(([a, b]) => a.clock / b.clock)),
  };
}

function ratioOfSums(pairs: readonly [ours: Spent, base: Spent][]): number {
  const sum = (side: 0 | 1): number => pairs.reduce((total, pair) => total + pair[side].processor, 0);
  return sum(0) / sum(1);
}
