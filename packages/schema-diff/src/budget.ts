/** Thrown when a comparison has used up its steps; it never leaves the package. */
class BudgetExhausted extends Error {}

/** Steps that one comparison may take: counted work, never time, so that every machine gives the same verdict. */
export class Budget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** @throws {BudgetExhausted} when fewer than `steps` are left. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new BudgetExhausted();
  }
}

/** What a computation comes to; `undefined` when its budget does not suffice. */
export function withinBudget<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof BudgetExhausted) return undefined;
    throw error;
  }
}
