/** Remembers texts until a time. Beyond the limit, forgets the oldest. */
export class ExpiringSet {
  readonly #until = new Map<string, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  has(text: string, now: number): boolean {
    return (this.#until.get(text) ?? 0) >= now && this.#until.has(text);
  }

  /** Adds a text. Returns `false` where the set has it already. */
  add(text: string, until: number, now: number): boolean {
    if (this.has(text, now)) return false;
    for (const [oldest, end] of this.#until) {
      if (end >= now && this.#until.size < this.#max) break;
      this.#until.delete(oldest);
    }
    this.#until.set(text, until);
    return true;
  }
}
