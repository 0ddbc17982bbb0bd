const MINUTE_MS = 60_000;

/** Counts the calls of each tool in the last minute. */
export class CallRate {
  readonly #times = new Map<string, number[]>();

  /** Counts a call. Returns `false`, without counting, where the last minute already has `maxPerMinute` calls. */
  take(tool: string, maxPerMinute: number, now: number): boolean {
    const times = this.#times.get(tool) ?? [];
    let old = 0;
    while (old < times.length && now - (times[old] as number) >= MINUTE_MS) old++;
    times.splice(0, old);
    if (times.length >= maxPerMinute) return false;
    times.push(now);
    this.#times.set(tool, times);
    return true;
  }
}
