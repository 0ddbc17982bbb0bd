import type { VisitAnswers } from "@agentprint/mcp";

/** How much longer or shorter a pause is by chance, so that not all machines visit a server at the same moment. */
const JITTER = 0.1;

/** How many times the interval a server may ask to be left alone: it must not decide that nobody looks. */
const MOST_INTERVALS = 2;

/**
 * Returns the milliseconds until the next round.
 *
 * @param every The interval, in milliseconds
 * @param fresh The milliseconds for which the answers say that they stay fresh; a shorter time than the interval changes nothing
 * @param chance A number from 0 to 1
 */
export function pauseOf(every: number, fresh: number | undefined, chance: number): number {
  const wished = Math.min(Math.max(every, fresh ?? 0), MOST_INTERVALS * every);
  return Math.round(wished * (1 - JITTER + 2 * JITTER * chance));
}

/**
 * Returns the shortest time for which the lists of all visits stay fresh (`ttlMs`), `undefined` if one does not say.
 */
export function freshFor(visits: readonly VisitAnswers[]): number | undefined {
  const pages = visits.flatMap(({ sessions }) => sessions.flatMap(({ lists }) => Object.values(lists).flat(2)));
  const times = pages.map((page) => page["ttlMs"]);
  const isSaid = (time: unknown): time is number => typeof time === "number" && time >= 0;
  return times.length > 0 && times.every(isSaid) ? Math.min(...times) : undefined;
}
