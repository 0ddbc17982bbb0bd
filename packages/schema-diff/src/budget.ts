/** Thrown when a computation has used up its steps. It never leaves the package, and nobody reads its stack: one serves all. */
const EXHAUSTED = new Error("the steps are used up");

/** UTF-16 units of text that are read, written or compared in one step. */
export const UNITS_A_STEP = 32;

/** Entries of a list, set or map that are copied or looked at in one step. */
export const ENTRIES_A_STEP = 8;

/**
 * Steps that may be taken, each of about half a microsecond at most. Work is counted and time is never measured, so that every
 * machine gives the same verdict. One budget can be handed to many calls, which then share it.
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

  /** Steps that are left; zero or less when the budget is used up. */
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

  /** Takes steps that are about to be made; throws when fewer are left, which {@link withinBudget} catches. */
  spend(steps: number): void {
    if (!this.#take(steps)) throw EXHAUSTED;
  }

  /** Steps that this budget refuses are not taken from the one around it, which may still suffice for a smaller computation. */
  #take(steps: number): boolean {
    const isTaken = steps <= this.#left && (this.#total === undefined || this.#total.#take(steps));
    this.#left = isTaken ? this.#left - steps : 0;
    return isTaken;
  }
}

/** The result of a computation; `undefined` when its budget does not suffice. */
export function withinBudget<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (error === EXHAUSTED) return undefined;
    throw error;
  }
}
