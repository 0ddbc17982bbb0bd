/** Thrown when a comparison has used up its steps; it never leaves the package. One for all: its stack is never read. */
const EXHAUSTED = new Error("the steps are used up");

/** UTF-16 units of text that are read, written or compared in one step. */
export const UNITS_A_STEP = 32;

/** Entries of a list, set or map that are copied or looked at in one step. */
export const ENTRIES_A_STEP = 8;

/**
 * Steps that may be taken, each of at most half a microsecond or so: counted work, never time, so that every machine gives the same verdict. One budget can be
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

  /** Whether the next step would be one too many. */
  get isExhausted(): boolean {
    return !this.affords(1);
  }

  /** Whether so many steps are left. */
  affords(steps: number): boolean {
    return steps <= this.#left && (this.#total?.affords(steps) ?? true);
  }

  /** Takes steps that were made already, even more than are left. */
  charge(steps: number): void {
    this.#left -= steps;
    this.#total?.charge(steps);
  }

  /** Takes steps that are about to be made; throws when fewer are left. What compares schemas catches that. */
  spend(steps: number): void {
    if (!this.#take(steps)) throw EXHAUSTED;
  }

  /** Steps that are refused are not taken from the budget around this one, which may still do for something smaller. */
  #take(steps: number): boolean {
    const isTaken = steps <= this.#left && (this.#total === undefined || this.#total.#take(steps));
    this.#left = isTaken ? this.#left - steps : 0;
    return isTaken;
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
