import type { StepBudget } from "../budget.ts";
import { type CodePoints, contains } from "./code-points.ts";

/** The condition for a silent step. */
export type When = "always" | "at-start" | "at-end";

interface Step {
  readonly to: number;
  readonly when: When;
}
interface Edge {
  readonly to: number;
  readonly on: CodePoints;
}

/** A sorted set of automaton states. */
export type States = readonly number[];

/** Thrown if there are too many states; the pattern then becomes opaque. */
class AutomatonTooLarge extends Error {}

/**
 * A nondeterministic finite automaton. It follows all states at once and never backtracks, so a test takes at most
 * states × characters steps for any pattern and any text.
 */
export class Automaton {
  readonly #maxStates: number;
  readonly #steps: Step[][] = [];
  readonly #edges: Edge[][] = [];
  #weight = 0;
  /** The accepting state. Once it is reached, every further text is accepted. */
  readonly accept: number;
  /** The state before the first character. */
  readonly entry: number;

  constructor(maxStates: number) {
    this.#maxStates = maxStates;
    this.accept = this.add();
    this.entry = this.add();
  }

  /** The number of states and steps between them. */
  get weight(): number {
    return this.#weight;
  }

  /** Returns the number of budget steps that reading one character in these states takes. */
  cost(states: States): number {
    let cost = 1;
    for (const state of states)
      cost += 1 + ((this.#edges[state] as Edge[]).length + (this.#steps[state] as Step[]).length) / 4;
    return cost;
  }

  /**
   * Adds a state and returns it.
   *
   * @throws {@link AutomatonTooLarge} when the automaton already has the maximum number of states.
   */
  add(): number {
    if (this.#steps.length >= this.#maxStates) throw new AutomatonTooLarge();
    this.#weight++;
    this.#edges.push([]);
    return this.#steps.push([]) - 1;
  }

  silent(from: number, to: number, when: When = "always"): void {
    this.#weight++;
    this.#steps[from]?.push({ to, when });
  }

  on(from: number, set: CodePoints, to: number): void {
    this.#weight++;
    this.#edges[from]?.push({ on: set, to });
  }

  /** Returns every edge's set of characters. */
  alphabet(): CodePoints[] {
    return this.#edges.flatMap((edges) => edges.map((edge) => edge.on));
  }

  /** Returns whether a string that led to `states` is accepted if it ends here. */
  accepts(states: States, atStart: boolean): boolean {
    return states[0] === this.accept || this.#closure(states, atStart, true)[0] === this.accept;
  }

  /** Returns the states before the first character. */
  start(): States {
    return this.#closure([this.entry], true, false);
  }

  /** Returns the states after one more character. */
  next(states: States, codePoint: number): States {
    if (states[0] === this.accept) return states;
    const reached: number[] = [];
    for (const state of states) {
      for (const edge of this.#edges[state] as Edge[]) if (contains(edge.on, codePoint)) reached.push(edge.to);
    }
    return this.#closure(reached, false, false);
  }

  /** Returns whether the text is accepted. */
  test(text: string, budget: StepBudget): boolean {
    let states = this.start();
    let atStart = true;
    for (const character of text) {
      if (states[0] === this.accept) return true;
      budget.spend(this.cost(states));
      states = this.next(states, character.codePointAt(0) as number);
      atStart = false;
    }
    return this.accepts(states, atStart);
  }

  #closure(from: readonly number[], atStart: boolean, atEnd: boolean): States {
    const seen = new Set(from);
    for (const state of seen) {
      if (state === this.accept) return [state];
      for (const { to, when } of this.#steps[state] as Step[]) {
        if (when === "always" || (when === "at-start" ? atStart : atEnd)) seen.add(to);
      }
    }
    return [...seen].sort((a, b) => a - b);
  }
}
