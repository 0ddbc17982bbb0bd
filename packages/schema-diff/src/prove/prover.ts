import type { JsonValue } from "@agentprint/canonical-json";
import { type StepBudget, withinBudget } from "../budget.ts";
import { isTrivial } from "../compile/combine.ts";
import type { ConstantShapes } from "../compile/constant-shapes.ts";
import { Evaluator, type Truth } from "../evaluate.ts";
import { ALL, ARRAY, BOOLEAN, FRACTION, INTEGER, KINDS, NULL, OBJECT, STRING } from "../kinds.ts";
import { MAX_NESTED_DECISIONS, MAX_NESTED_SEARCHES } from "../limits.ts";
import type { ProvenEffect } from "../schema-change.ts";
import type { Constraint, EnumConstraint, SchemaNode } from "../schema-graph.ts";
import { solveArray } from "./arrays.ts";
import { Branch } from "./branch.ts";
import { type Finding, firstOf, NONE, type PartProver, type Problem, UNKNOWN } from "./finding.ts";
import type { Goal } from "./goal.ts";
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

/** The number of goals of undecided disjunctions that are examined in one step. */
const GOALS_A_STEP = 32;

/**
 * Searches for a JSON value that satisfies some schemas and violates others, or proves that there is none.
 *
 * Let `accepting` and `rejecting` be two schemas. `rejecting` accepts everything that `accepting` accepts if and only
 * if no value fulfils `accepting` and violates `rejecting`; `find([accepting], [rejecting])` searches for such a value.
 * The search tries one kind of value at a time. Within a kind, it decides one disjunction at a time, such as that
 * between the alternatives in `anyOf`, until only facts about a value of this kind are left; then the kind's solver
 * builds a value, or finds that the facts contradict each other.
 */
export class Prover implements PartProver {
  readonly #budget: StepBudget;
  readonly #shapes: ConstantShapes;
  readonly #evaluator: Evaluator;
  readonly #settled: Map<string, Finding>;
  readonly #active = new Map<string, number>();
  /** The depth of the outermost active search whose `none` a proof in progress assumes. */
  #assumed: number = Number.POSITIVE_INFINITY;
  #decisions = 0;

  /**
   * @param shapes The shapes of all constants of both graphs.
   * @param earlier A prover for the same graphs, whose settled findings are reused.
   */
  constructor(budget: StepBudget, shapes: ConstantShapes, earlier?: Prover) {
    this.#budget = budget;
    this.#shapes = shapes;
    this.#settled = earlier ? earlier.#settled : new Map();
    this.#evaluator = new Evaluator(budget);
  }

  find(fulfilled: readonly SchemaNode[], violated: readonly SchemaNode[]): Finding {
    this.#budget.spend(1 + fulfilled.length + violated.length);
    const wanted = distinct(fulfilled.filter((node) => !isTrivial(node, ALL)));
    const unwanted = distinct(violated.filter((node) => node.kinds !== 0));
    if (wanted.some((node) => node.kinds === 0) || unwanted.some((node) => isTrivial(node, ALL))) return NONE;
    if (wanted.some((node) => unwanted.some((other) => other.equivalenceClass === node.equivalenceClass))) return NONE;
    const key = `${wanted.map((node) => node.equivalenceClass).join()}|${unwanted.map((node) => node.equivalenceClass).join()}`;
    const settled = this.#settled.get(key);
    if (settled) return settled;
    const outer = this.#active.get(key);
    if (outer !== undefined) {
      // By induction: of the values that fulfil the outer search, a smallest one has no part that fulfils the same
      // search.
      this.#assumed = Math.min(this.#assumed, outer);
      return NONE;
    }
    if (this.#active.size >= MAX_NESTED_SEARCHES) return UNKNOWN;
    return this.#settle(key, [
      ...wanted.map((node) => ({ holds: true, node })),
      ...unwanted.map((node) => ({ holds: false, node })),
    ]);
  }

  findOther(fulfilled: readonly SchemaNode[], avoided: ReadonlyMap<string, JsonValue>): Finding {
    const goals: Goal[] = fulfilled.map((node) => ({ holds: true, node }));
    const constraint: EnumConstraint = { type: "enum", kinds: ALL, pointer: "", values: avoided };
    return this.#ofAnyKind((kind) => this.findOfKind(kind, [...goals, { holds: false, constraint: constraint }]));
  }

  text(value: JsonValue): string {
    return this.#evaluator.text(value);
  }

  /** Whether no steps are left for a search. */
  get isExhausted(): boolean {
    return this.#budget.isExhausted;
  }

  findOfKind(kind: number, goals: readonly Goal[]): Finding {
    this.#budget.spend(1 + goals.length);
    const branch = new Branch(kind, this.#budget);
    for (const goal of goals) branch.assert(goal);
    return this.#explore(branch, (value) => this.fulfils(goals, value));
  }

  /** Returns the effect on the set of accepted values when one schema replaces another. */
  effectOf(before: SchemaNode, after: SchemaNode): ProvenEffect {
    return effectOf(
      () => this.find([before], [after]).found,
      () => this.find([after], [before]).found,
    );
  }

  /** Returns the effect on the set of accepted values when a constraint replaces another on the same kinds of value. */
  effectOfConstraint(before: Constraint, after: Constraint): ProvenEffect {
    const kinds = KINDS.filter((kind) => kind & before.kinds & after.kinds);
    const find = (fulfilled: Constraint, violated: Constraint): Finding["found"] => {
      const goals = [
        { holds: true, constraint: fulfilled },
        { holds: false, constraint: violated },
      ];
      const found = kinds.map((kind) => this.findOfKind(kind, goals).found);
      return found.find((each) => each === "value") ?? found.find((each) => each === "unknown") ?? "none";
    };
    return effectOf(
      () => find(before, after),
      () => find(after, before),
    );
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
    this.#budget.spend(10 + branch.goalsToDecide / GOALS_A_STEP);
    if (branch.contradictory) return NONE;
    const finite = branch.values?.values() ?? FINITE.get(branch.kind);
    if (finite) return firstOf(finite, fulfils);
    const live = branch.disjunctions.map((each) => branch.liveAlternatives(each));
    const fewest = Math.min(...live.map(({ length }) => length));
    if (fewest > 1) {
      const problem = { branch, fulfils, prover: this, budget: this.#budget, evaluator: this.#evaluator };
      const finding = (SOLVERS.get(branch.kind) as (problem: Problem) => Finding)(problem);
      if (finding.found !== "unknown") return finding;
      if (live.length === 0) return branch.excludeShapes(this.#shapes) ? this.#explore(branch, fulfils) : finding;
    }
    if (this.#decisions >= MAX_NESTED_DECISIONS) return UNKNOWN;
    this.#decisions++;
    const finding = this.#decide(branch, live, fewest, fulfils);
    this.#decisions--;
    return finding;
  }

  /**
   * Tries each alternative of the disjunction with the fewest alternatives. If it has none, the branch is closed; a
   * single alternative is a fact.
   */
  #decide(branch: Branch, live: Goal[][][], fewest: number, fulfils: (value: JsonValue) => Truth): Finding {
    const chosen = live.findIndex(({ length }) => length === fewest);
    const others = live.filter((_, i) => i !== chosen);
    this.#budget.spend(live.length);
    let all = NONE;
    for (const alternative of live[chosen] as Goal[][]) {
      const next = branch.clone();
      next.disjunctions = [...others];
      for (const goal of alternative) next.assert(goal);
      const result = this.#explore(next, fulfils);
      if (result.found === "value") return result;
      if (result.found === "unknown") all = UNKNOWN;
    }
    return all;
  }

  fulfils(goals: readonly Goal[], value: JsonValue): Truth {
    let truth: Truth = true;
    for (const goal of goals) {
      const holds =
        "node" in goal ? this.#evaluator.node(goal.node, value) : this.#evaluator.constraint(goal.constraint, value);
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

/**
 * Returns the effect of a replacement; `findLost` searches for a value that only the old schema accepts, and
 * `findGained` for a value that only the new schema accepts.
 */
function effectOf(findLost: () => Finding["found"], findGained: () => Finding["found"]): ProvenEffect {
  const [lost, gained] = withinBudget(() => [findLost(), findGained()] as const) ?? [];
  if (lost === "none") return gained === "none" ? "none" : gained === "value" ? "widens" : "unknown";
  if (gained === "none") return lost === "value" ? "narrows" : "unknown";
  return lost === "value" && gained === "value" ? "both" : "unknown";
}

function distinct(nodes: readonly SchemaNode[]): SchemaNode[] {
  return [...new Map(nodes.map((node) => [node.equivalenceClass, node])).values()].sort(
    (a, b) => a.equivalenceClass - b.equivalenceClass,
  );
}
