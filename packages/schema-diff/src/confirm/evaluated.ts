import { ENTRIES_A_STEP } from "../budget.ts";

/** The members of an object, or elements of an array, that schemas have evaluated: what `unevaluated…` leaves out. */
export class Evaluated {
  readonly #parts = new Set<string | number>();
  #hasAll = false;

  has(part: string | number): boolean {
    return this.#hasAll || this.#parts.has(part);
  }

  add(part: string | number): void {
    this.#parts.add(part);
  }

  addAll(): void {
    this.#hasAll = true;
  }

  merge(other: Evaluated): void {
    this.#hasAll ||= other.#hasAll;
    for (const part of other.#parts) this.#parts.add(part);
  }

  /** The steps of merging this set into another. */
  get mergeSteps(): number {
    return this.#parts.size / ENTRIES_A_STEP;
  }
}
