import type { JsonValue } from "@agentprint/canonical-json";
import type { StepBudget } from "../budget.ts";
import { Evaluator, type Truth } from "../evaluate.ts";
import { ALL, ARRAY, BOOLEAN, FRACTION, INTEGER, KINDS, NULL, OBJECT, STRING } from "../kinds.ts";
import { type EnumPart, isTrivial, type Node } from "../node.ts";
import { solveArray } from "./arrays.ts";
import { Branch, type Goal } from "./branch.ts";
import { type Finding, firstOf, NONE, type Problem, UNKNOWN } from "./finding.ts";
import { solveNumber } from "./numbers.ts";
import { solveObject } from "./objects.ts";
import { solveString } from "./strings.ts";

const SOLVERS: ReadonlyMap<number, (problem: Problem) => Finding> = new Map([
  [STRING, solveString],
  [INTEGER, solveNumber],
  [FRACTION, solveNumber],
  [OBJECT, solveObject],
  [ARRAY, solveArray],
]);

/** Goals of open disjunctions that are looked at in one step. */
const GOALS_A_STEP = 32;

/** Searches nested in searches; each is for a part of the value that the one around it is for. */
const MAX_DEPTH = 150;

/** Disjunctions decided within one another, in all nested searches together: the call stack holds no more for sure. */
const MAX_DECISIONS = 400;

/**
 * Searches for a JSON value that fulfils some schemas and violates others, or proves that there is none.
 *
 * One schema accepts everything that another does exactly when no value fulfils the other and violates the one. The
 * search takes both apart by kind of value and by alternative until only facts about one kind are left.
 */
export class Prover {
  readonly #budget: StepBudget;
  readonly #evaluator: Evaluator;
  readonly #settled: Map<string, Finding>;
  readonly #active = new Map<string, number>();
  /** The outermost active search that a proof in progress relies on. */
  #assumed: number = Number.POSITIVE_INFINITY;
  #decisions = 0;

  /** @param earlier Has searched the same graphs; what it settled need not be searched again. */
  constructor(budget: StepBudget, earlier?: Prover) {
    this.#budget = budget;
    this.#settled = earlier ? earlier.#settled : new Map();
    this.#evaluator = new Evaluator(budget);
  }

  /** A value that fulfils all of `fulfilled` and none of `violated`. */
  find(fulfilled: readonly Node[], violated: readonly Node[]): Finding {
    this.#budget.spend(1 + fulfilled.length + violated.length);
    const wanted = distinct(fulfilled.filter((node) => !isTrivial(node, ALL)));
    const unwanted = distinct(violated.filter((node) => node.kinds !== 0));
    if (wanted.some((node) => node.kinds === 0) || unwanted.some((node) => isTrivial(node, ALL))) return NONE;
    if (wanted.some((node) => unwanted.some((other) => other.shape === node.shape))) return NONE;
    const key = `${wanted.map((node) => node.shape).join()}|${unwanted.map((node) => node.shape).join()}`;
    const settled = this.#settled.get(key);
    if (settled) return settled;
    const outer = this.#active.get(key);
    if (outer !== undefined) {
      // Induction: of all values that fulfil the outer search a smallest one has no part that fulfils it too.
      this.#assumed = Math.min(this.#assumed, outer);
      return NONE;
    }
    if (this.#active.size >= MAX_DEPTH) return UNKNOWN;
    return this.#settle(key, [
      ...wanted.map((node) => ({ holds: true, node })),
      ...unwanted.map((node) => ({ holds: false, node })),
    ]);
  }

  /** A value that fulfils all of `fulfilled` and is none of `avoided`, which has them by canonical text. */
  findOther(fulfilled: readonly Node[], avoided: ReadonlyMap<string, JsonValue>): Finding {
    const goals: Goal[] = fulfilled.map((node) => ({ holds: true, node }));
    const part: EnumPart = { part: "enum", kinds: ALL, at: "", values: avoided };
    return this.#ofAnyKind((kind) => this.findOfKind(kind, [...goals, { holds: false, part }]));
  }

  /** The canonical text of a value. */
  text(value: JsonValue): string {
    return this.#evaluator.text(value);
  }

  /** Whether nothing can be searched any more. */
  get isExhausted(): boolean {
    return this.#budget.isExhausted;
  }

  /** A value of one kind that fulfils goals that are not all schemas. */
  findOfKind(kind: number, goals: readonly Goal[]): Finding {
    this.#budget.spend(1 + goals.length);
    const branch = new Branch(kind, this.#budget);
    for (const goal of goals) branch.assert(goal);
    return this.#explore(branch, (value) => this.fulfils(goals, value));
  }

  #settle(key: string, goals: readonly Goal[]): Finding {
    const depth = this.#active.size;
    const assumedBefore = this.#assumed;
    this.#assumed = Number.POSITIVE_INFINITY;
    this.#active.set(key, depth);
    const finding = this.#ofAnyKind((kind) => this.findOfKind(kind, goals));
    this.#active.delete(key);
    const standsAlone = this.#assumed >= depth;
    if (standsAlone || finding.found === "value") this.#settled.set(key, finding);
    this.#assumed = standsAlone ? assumedBefore : Math.min(assumedBefore, this.#assumed);
    return finding;
  }

  #ofAnyKind(find: (kind: number) => Finding): Finding {
    let finding = NONE;
    for (const kind of KINDS) {
      const ofKind = find(kind);
      if (ofKind.found === "value") return ofKind;
      if (ofKind.found === "unknown") finding = UNKNOWN;
    }
    return finding;
  }

  #explore(branch: Branch, fulfils: (value: JsonValue) => Truth): Finding {
    this.#budget.spend(10 + branch.openGoals / GOALS_A_STEP);
    if (branch.closed) return NONE;
    const finite = branch.values?.values() ?? FINITE.get(branch.kind);
    if (finite) return firstOf(finite, fulfils);
    const splits = branch.splits.map((split) => branch.open(split));
    const fewest = Math.min(...splits.map((split) => split.length));
    if (fewest > 1) {
      const problem = { branch, fulfils, prover: this, budget: this.#budget, evaluator: this.#evaluator };
      const finding = (SOLVERS.get(branch.kind) as (problem: Problem) => Finding)(problem);
      if (finding.found !== "unknown" || splits.length === 0) return finding;
    }
    if (this.#decisions >= MAX_DECISIONS) return UNKNOWN;
    this.#decisions++;
    const finding = this.#split(branch, splits, fewest, fulfils);
    this.#decisions--;
    return finding;
  }

  /** Decides the disjunction with the fewest alternatives; one without any is refuted, one with one is a fact. */
  #split(branch: Branch, splits: Goal[][][], fewest: number, fulfils: (value: JsonValue) => Truth): Finding {
    const chosen = splits.findIndex((split) => split.length === fewest);
    const others = splits.filter((_, i) => i !== chosen);
    this.#budget.spend(splits.length);
    let all = NONE;
    for (const alternative of splits[chosen] as Goal[][]) {
      const next = branch.clone();
      next.splits = [...others];
      for (const goal of alternative) next.assert(goal);
      const result = this.#explore(next, fulfils);
      if (result.found === "value") return result;
      if (result.found === "unknown") all = UNKNOWN;
    }
    return all;
  }

  /** Whether a value fulfils goals that are about its kind. */
  fulfils(goals: readonly Goal[], value: JsonValue): Truth {
    let truth: Truth = true;
    for (const goal of goals) {
      const holds = "node" in goal ? this.#evaluator.node(goal.node, value) : this.#evaluator.part(goal.part, value);
      if (holds === !goal.holds) return false;
      if (holds === undefined) truth = undefined;
    }
    return truth;
  }
}

const FINITE: ReadonlyMap<number, readonly JsonValue[]> = new Map([
  [NULL, [null]],
  [BOOLEAN, [true, false]],
]);

function distinct(nodes: readonly Node[]): Node[] {
  return [...new Map(nodes.map((node) => [node.shape, node])).values()].sort((a, b) => a.shape - b.shape);
}
