/**
 * Thrown when a computation has used up its steps. This error never leaves the package, and its stack is not read, so
 * one object is enough.
 */
const EXHAUSTED = new Error("the steps are used up");

/** The number of UTF-16 code units of text that are read, written or compared in one step. */
export const UNITS_A_STEP = 32;

/** The number of entries of a list, set or map that are copied or inspected in one step. */
export const ENTRIES_A_STEP = 8;

/**
 * A number of steps that a computation may take; a step takes at most about half a microsecond. Work is counted instead
 * of time, so that every machine gives the same verdict. Several calls can share one budget.
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

  /** @param total Another budget, from which every step is taken as well. */
  constructor(steps: number, total?: StepBudget) {
    this.#left = steps;
    this.#total = total;
  }

  /** The number of steps that are left; zero or less when the budget is used up. */
  get left(): number {
    return this.#left;
  }

  /** Whether no step is left. */
  get isExhausted(): boolean {
    return !this.affords(1);
  }

  /** Returns whether at least this many steps are left. */
  affords(steps: number): boolean {
    return steps <= this.#left && (this.#total?.affords(steps) ?? true);
  }

  /** Takes steps for work that is already done, even if fewer steps are left. */
  charge(steps: number): void {
    this.#left -= steps;
    this.#total?.charge(steps);
  }

  /** Takes steps for work that is about to start. If too few are left, throws an error that `withinBudget` catches. */
  spend(steps: number): void {
    if (!this.#take(steps)) throw EXHAUSTED;
  }

  /**
   * Takes steps, or returns `false` if too few are left. Refused steps are not taken from `total` either, so that they
   * remain for a smaller computation.
   */
  #take(steps: number): boolean {
    const isTaken = steps <= this.#left && (this.#total === undefined || this.#total.#take(steps));
    this.#left = isTaken ? this.#left - steps : 0;
    return isTaken;
  }
}

/** Returns the result of a computation, or `undefined` if it used up its budget. */
export function withinBudget<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (error === EXHAUSTED) return undefined;
    throw error;
  }
}
