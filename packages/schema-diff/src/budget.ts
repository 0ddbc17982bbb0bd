/** Thrown when a comparison has used up its steps; it never leaves the package. One for all: its stack is never read. */
const EXHAUSTED = new Error("the steps are used up");

/**
 * Steps that may be taken: counted work, never time, so that every machine gives the same verdict. One budget can be
 * handed to many comparisons, which then share it.
 *
 * @example
 * ```ts
 * import { compareSchemas, StepBudget } from "@agentprint/schema-diff";
 *
 * const budget = new StepBudget(1_000_000);
 * compareSchemas({ type: "string" }, { type: "number" }, { direction: "input", budget });
 * console.log(budget.left < 1_000_000); // true
 * ```
 */
export class StepBudget {
  #left: number;
  readonly #total: StepBudget | undefined;

  /** @param total Another budget that the steps are taken from as well. */
  constructor(steps: number, total?: StepBudget) {
    this.#left = steps;
    this.#total = total;
  }

  /** Steps that are left, not above zero when it is used up. */
  get left(): number {
    return this.#left;
  }

  /** Takes steps that were made already, even more than are left. */
  charge(steps: number): void {
    this.#left -= steps;
    this.#total?.charge(steps);
  }

  /** Takes steps that are about to be made; throws when fewer are left. What compares schemas catches that. */
  spend(steps: number): void {
    this.charge(steps);
    if (this.#left < 0 || (this.#total !== undefined && this.#total.left < 0)) throw EXHAUSTED;
  }
}

/** What a computation comes to; `undefined` when its budget does not suffice. */
export function withinBudget<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (error === EXHAUSTED) return undefined;
    throw error;
  }
}
