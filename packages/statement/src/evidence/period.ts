import type { EvidencePeriod } from "./evidence.ts";

/** Matches comparable timestamps; a store writes only these. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Returns whether a timestamp is certainly before the beginning of a period. */
export function isBefore(timestamp: string, { from }: EvidencePeriod): boolean {
  return from !== undefined && TIME.test(timestamp) && timestamp.slice(0, -1) < from.slice(0, -1);
}

/** Returns whether a timestamp is certainly after the end of a period. */
export function isBehind(timestamp: string, { to }: EvidencePeriod): boolean {
  return to !== undefined && TIME.test(timestamp) && timestamp.slice(0, -1) >= to.slice(0, -1);
}

/** The range of a chain's records that a bundle for a period contains. */
export interface PeriodRange {
  readonly first: number;
  /** The index after the last of these records. */
  readonly end: number;
  /** Whether none of these records can be in the period. */
  readonly isEmpty: boolean;
}

/**
 * Finds a period's records: from the first that is not certainly before it to the last that is not certainly after it,
 * and one more on each side to show that none is missing.
 */
export class PeriodFinder {
  readonly #period: EvidencePeriod;
  readonly #begin: number;
  #size: number;
  #first: number | undefined;
  #last = -1;

  /** @param begin How many records precede the records that it receives */
  constructor(period: EvidencePeriod, begin = 0) {
    this.#period = period;
    this.#begin = begin;
    this.#size = begin;
  }

  /** Takes the next record's timestamp. */
  push(timestamp: string): void {
    if (!isBefore(timestamp, this.#period)) this.#first ??= this.#size;
    if (!isBehind(timestamp, this.#period)) this.#last = this.#size;
    this.#size++;
  }

  /** Returns the range of the records so far. */
  finish(): PeriodRange {
    const first = this.#first ?? this.#size;
    const end = Math.max(first, this.#last + 1);
    return { first: Math.max(this.#begin, first - 1), end: Math.min(this.#size, end + 1), isEmpty: this.#last < first };
  }
}
