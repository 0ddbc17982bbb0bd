import type { VisitAnswers } from "@agentprint/mcp";

/** The random variation of a pause, so that not all machines visit a server at the same moment. */
const JITTER = 0.1;

/** The longest pause that a server may request, in intervals; without this limit, a server could stop all checks. */
const MOST_INTERVALS = 2;

/**
 * Returns the milliseconds until the next round.
 *
 * @param every The interval, in milliseconds
 * @param fresh The number of milliseconds for which the answers are fresh; a time shorter than the interval changes
 * nothing
 * @param chance A number from 0 to 1
 */
export function pauseOf(every: number, fresh: number | undefined, chance: number): number {
  const wished = Math.min(Math.max(every, fresh ?? 0), MOST_INTERVALS * every);
  return Math.round(wished * (1 - JITTER + 2 * JITTER * chance));
}

/**
 * Returns the shortest time for which the lists of all visits stay fresh (`ttlMs`), or `undefined` if a list does not
 * state it.
 */
export function freshFor(visits: readonly VisitAnswers[]): number | undefined {
  const pages = visits.flatMap(({ sessions }) => sessions.flatMap(({ lists }) => Object.values(lists).flat(2)));
  const times = pages.map((page) => page["ttlMs"]);
  const isSaid = (time: unknown): time is number => typeof time === "number" && time >= 0;
  return times.length > 0 && times.every(isSaid) ? Math.min(...times) : undefined;
}
