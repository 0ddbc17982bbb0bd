import { median } from "../measure.ts";
import type { Slowdown } from "./slices.ts";

/** The combined result of all processes for a row. */
export interface Verdict {
  readonly slowdown: Slowdown;
  readonly processes: number;
  readonly isSlower: boolean;
}

/** The median slowdown over the processes at which a row counts as slower. */
export const SLOWER = 1.1;
/** The number of processes measured in case of doubt. */
export const MOST_PROCESSES = 11;

/** Two processes are enough if both are below this ratio. */
const CLEARLY_EQUAL = 1.03;
/** Three or more processes are enough if they agree and their median is below this ratio. */
const SUSPICIOUS = 1.06;
/**
 * The spread within which processes agree; it allows for a process that compiles one of two equal builds better than
 * the other.
 */
const AGREEMENT = 0.1;
/** Other programs can make half of the processes look slower by wall-clock time, but not all of them. */
const SLOWER_IN_EVERY = 1.05;

/**
 * Returns the verdict on a row, or `undefined` if more processes have to measure it. A row fails only by the median of
 * eleven processes; fewer are enough for a row that is not slower.
 *
 * @param measured the measurements of each process so far
 * @param allowed the slowdown at which the row counts as slower. Default: 1.1
 */
export function judge(measured: readonly Slowdown[], allowed: number = SLOWER): Verdict | undefined {
  const isDecided = measured.length >= MOST_PROCESSES;
  if (!isDecided && !isClearlyEqual(measured)) return undefined;
  return {
    slowdown: {
      steady: median(measured.map(({ steady }) => steady)),
      clock: median(measured.map(({ clock }) => clock)),
    },
    processes: measured.length,
    isSlower: isDecided && isSlower(measured, allowed),
  };
}

function isClearlyEqual(measured: readonly Slowdown[]): boolean {
  if (measured.length < 2 || isSlower(measured, SUSPICIOUS)) return false;
  const figures = measured.map(({ steady }) => steady);
  const [least, most] = [Math.min(...figures), Math.max(...figures)];
  return measured.length === 2 ? most < CLEARLY_EQUAL : most - least <= AGREEMENT;
}

/**
 * Returns whether a row is that much slower in median processor time, or in median wall-clock time if it is slower in
 * every process.
 */
function isSlower(measured: readonly Slowdown[], limit: number): boolean {
  if (median(measured.map(({ steady }) => steady)) >= limit) return true;
  const clocks = measured.map(({ clock }) => clock);
  return median(clocks) >= limit && Math.min(...clocks) >= SLOWER_IN_EVERY;
}
