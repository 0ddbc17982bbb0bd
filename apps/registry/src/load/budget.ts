import { type RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { RegistryError } from "../errors.ts";

/** The number of bytes in a body or an answer that cost as much as a request. */
export const UNIT_BYTES: number = 32 * 1024;
/**
 * The number of bytes reserved before an answer is created: the length of the longest answer, except for a single long
 * item.
 */
export const ANSWER_BYTES: number = 8 * UNIT_BYTES;
const ANSWER_UNITS = ANSWER_BYTES / UNIT_BYTES;

/** Replaces the reservation with the cost of the actual answer, given in bytes. Called once. */
export type Settle = (bytes: number) => void;

/**
 * The units that each owner, such as an address, may use in a minute. A request first reserves the units of the longest
 * answer, and then pays only for its actual answer. If only answers in progress could exceed the limit, a request waits
 * for them: a request is refused because of used units, never because of reserved ones.
 */
export class Budget {
  readonly #limiter: RateLimiterMemory;
  readonly #what: string;
  readonly #reserved = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  /** @param what The end of the error message "too many …", for example "requests from this address" */
  constructor(limiter: RateLimiterMemory, what: string) {
    this.#limiter = limiter;
    this.#what = what;
  }

  /**
   * Counts a request and reserves the units for its answer.
   *
   * @throws {@link RegistryError} `RATE_LIMITED` when the owner has used its units.
   */
  async reserve(owner: string, cost: number): Promise<Settle> {
    await consume(this.#limiter, owner, cost, this.#what);
    for (;;) {
      const used = (await this.#limiter.get(owner))?.consumedPoints ?? 0;
      // If the minute has ended meanwhile, the request is counted again in the next one.
      if (used > this.#limiter.points) await consume(this.#limiter, owner, 0, this.#what);
      const reserved = this.#reserved.get(owner) ?? 0;
      if (reserved === 0 || used + reserved + ANSWER_UNITS <= this.#limiter.points) break;
      await new Promise<void>((resolve) => {
        const waiting = this.#waiting.get(owner) ?? [];
        waiting.push(resolve);
        this.#waiting.set(owner, waiting);
      });
    }
    this.#reserved.set(owner, (this.#reserved.get(owner) ?? 0) + ANSWER_UNITS);
    return (bytes) => this.#settle(owner, Math.floor(bytes / UNIT_BYTES));
  }

  /** Counts units that were not reserved. */
  charge(owner: string, units: number): void {
    // Counting cannot fail, because the counter is in memory.
    if (units > 0) void this.#limiter.penalty(owner, units);
  }

  #settle(owner: string, units: number): void {
    this.charge(owner, units);
    const left = (this.#reserved.get(owner) ?? 0) - ANSWER_UNITS;
    if (left > 0) this.#reserved.set(owner, left);
    else this.#reserved.delete(owner);
    const waiting = this.#waiting.get(owner) ?? [];
    this.#waiting.delete(owner);
    for (const wake of waiting) wake();
  }
}

/**
 * Counts `cost` units for an owner.
 *
 * @throws {@link RegistryError} `RATE_LIMITED`.
 */
export async function consume(limiter: RateLimiterMemory, owner: string, cost: number, what: string): Promise<void> {
  try {
    await limiter.consume(owner, cost);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    throw new RegistryError("RATE_LIMITED", `too many ${what}: at most ${limiter.points} a minute`, {
      headers: { "retry-after": String(seconds) },
    });
  }
}
