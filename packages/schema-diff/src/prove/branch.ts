import type { JsonValue } from "@agentprint/canonical-json";
import { ENTRIES_A_STEP, type StepBudget } from "../budget.ts";
import type { ConstantShapes } from "../compile/constant-shapes.ts";
import { MAX_EXCLUDED_SHAPES } from "../limits.ts";
import type {
  Constraint,
  ContainsConstraint,
  ElementsConstraint,
  MembersConstraint,
  OpaqueConstraint,
  PatternConstraint,
  SchemaNode,
} from "../schema-graph.ts";
import { exactlyOne, type Goal, noneOrTwo } from "./goal.ts";

export interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

/**
 * The facts about a value of one kind that follow from the goals asserted so far, and the disjunctions that are still
 * undecided. A goal that no fact can express is left out. The facts describe all values that fulfil the goals, and
 * possibly other values, so facts that contradict each other prove that no value fulfils the goals.
 */
export class Branch {
  readonly kind: number;
  /** Whether two facts contradict each other, so that no such value exists. */
  contradictory = false;
  /** Each disjunction is a list of alternatives, and each alternative is a list of goals. */
  disjunctions: Goal[][][] = [];
  values: ReadonlyMap<string, JsonValue> | undefined;
  excluded: ReadonlyMap<string, JsonValue>[] = [];
  low: Bound | undefined;
  high: Bound | undefined;
  multiples: number[] = [];
  notMultiples: number[] = [];
  /** The minimum length of a string, or the minimum number of elements or members. */
  minSize = 0;
  maxSize: number = Number.POSITIVE_INFINITY;
  patterns: PatternConstraint[] = [];
  notPatterns: PatternConstraint[] = [];
  opaque: OpaqueConstraint[] = [];
  notOpaque: OpaqueConstraint[] = [];
  unique = false;
  repeated = false;
  elements: ElementsConstraint[] = [];
  notElements: ElementsConstraint[] = [];
  has: Set<string> = new Set();
  lacks: Set<string> = new Set();
  members: MembersConstraint[] = [];
  notMembers: MembersConstraint[] = [];
  names: SchemaNode[] = [];
  notNames: SchemaNode[] = [];
  /** How many maps in `excluded` have been asserted as shapes. */
  #shaped = 0;
  readonly #budget: StepBudget;
  /** The equivalence classes of the schemas that the value fulfils (`#true`) and violates (`#false`). */
  #true: Set<number> = new Set();
  #false: Set<number> = new Set();

  constructor(kind: number, budget: StepBudget) {
    this.kind = kind;
    this.#budget = budget;
  }

  clone(): Branch {
    let entries = this.has.size + this.lacks.size + this.#true.size + this.#false.size;
    for (const key of LISTS) entries += this[key].length;
    this.#budget.spend(entries / ENTRIES_A_STEP);
    const copy = Object.assign(new Branch(this.kind, this.#budget), this);
    for (const key of LISTS) (copy[key] as unknown[]) = [...this[key]];
    copy.has = new Set(this.has);
    copy.#shaped = this.#shaped;
    copy.lacks = new Set(this.lacks);
    copy.#true = new Set(this.#true);
    copy.#false = new Set(this.#false);
    return copy;
  }

  assert(goal: Goal): void {
    if (this.contradictory) return;
    if ("constraint" in goal) this.#constraint(goal.constraint, goal.holds);
    else this.#node(goal.node, goal.holds);
  }

  /**
   * Asserts that the value differs in shape from each excluded array or object: it lacks one of the parts, has another
   * value there, or has an additional part. The search does this last, because it then has to decide in which of these
   * ways the value differs from each.
   *
   * @returns Whether anything was asserted.
   */
  excludeShapes(shapes: ConstantShapes): boolean {
    const texts = this.excluded.slice(this.#shaped).flatMap((values) => [...values.keys()]);
    this.#shaped = this.excluded.length;
    this.#budget.spend(texts.length / ENTRIES_A_STEP);
    const excluded = texts.map((text) => shapes.get(text)).filter((node) => node && node.kinds & this.kind);
    if (excluded.length > MAX_EXCLUDED_SHAPES) return false;
    for (const node of excluded) this.assert({ holds: false, node: node as SchemaNode });
    return excluded.length > 0;
  }

  /** The approximate number of undecided goals: each alternative counts as the first one of its disjunction. */
  get goalsToDecide(): number {
    return this.disjunctions.reduce((sum, each) => sum + each.length * (each[0]?.length ?? 0), 0);
  }

  /** Returns the alternatives of a disjunction that do not directly contradict a fact. */
  liveAlternatives(disjunction: readonly Goal[][]): Goal[][] {
    return disjunction.filter((alternative) => !alternative.some((goal) => this.#refutes(goal)));
  }

  #refutes(goal: Goal): boolean {
    const { holds } = goal;
    if ("constraint" in goal)
      return goal.constraint.type === "required" && (holds ? this.lacks : this.has).has(goal.constraint.name);
    if (!(goal.node.kinds & this.kind)) return holds;
    return (holds ? this.#false : this.#true).has(goal.node.equivalenceClass);
  }

  #node(node: SchemaNode, holds: boolean): void {
    const accepts = (node.kinds & this.kind) !== 0;
    if (!accepts) {
      this.contradictory = holds;
      return;
    }
    const [same, opposite] = holds ? [this.#true, this.#false] : [this.#false, this.#true];
    if (opposite.has(node.equivalenceClass)) this.contradictory = true;
    if (same.has(node.equivalenceClass) || this.contradictory) return;
    same.add(node.equivalenceClass);
    this.#budget.spend(1 + node.constraints.length / ENTRIES_A_STEP);
    const constraints = node.constraints.filter((constraint) => constraint.kinds & this.kind);
    if (holds) for (const constraint of constraints) this.assert({ holds, constraint: constraint });
    else this.#either(constraints.map((constraint) => [{ holds, constraint }]));
  }

  #either(alternatives: Goal[][]): void {
    const [first, ...others] = alternatives;
    if (!first) this.contradictory = true;
    else if (others.length === 0) for (const goal of first) this.assert(goal);
    else this.disjunctions.push(alternatives);
  }

  #constraint(constraint: Constraint, holds: boolean): void {
    switch (constraint.type) {
      case "enum":
        if (!holds) this.excluded.push(constraint.values);
        else if (this.values) this.#narrow(this.values, constraint.values);
        else this.values = constraint.values;
        break;
      case "minimum":
        if (holds) this.#above(constraint);
        else this.#below({ value: constraint.value, exclusive: !constraint.exclusive });
        break;
      case "maximum":
        if (holds) this.#below(constraint);
        else this.#above({ value: constraint.value, exclusive: !constraint.exclusive });
        break;
      case "multipleOf":
        (holds ? this.multiples : this.notMultiples).push(constraint.value);
        break;
      case "minLength":
      case "minItems":
      case "minProperties":
        this.#size(holds ? constraint.value : 0, holds ? Number.POSITIVE_INFINITY : constraint.value - 1);
        break;
      case "maxLength":
      case "maxItems":
      case "maxProperties":
        this.#size(holds ? 0 : constraint.value + 1, holds ? constraint.value : Number.POSITIVE_INFINITY);
        break;
      case "pattern":
        (holds ? this.patterns : this.notPatterns).push(constraint);
        this.#oppose(holds ? this.notPatterns : this.patterns, ({ source }) => source === constraint.source);
        break;
      case "opaque":
        (holds ? this.opaque : this.notOpaque).push(constraint);
        this.#oppose(holds ? this.notOpaque : this.opaque, ({ key }) => key === constraint.key);
        break;
      case "uniqueItems":
        if (holds) this.unique = true;
        else this.repeated = true;
        this.contradictory = this.unique && this.repeated;
        break;
      case "elements":
        (holds ? this.elements : this.notElements).push(constraint);
        break;
      case "members":
        (holds ? this.members : this.notMembers).push(constraint);
        break;
      case "propertyNames":
        (holds ? this.names : this.notNames).push(constraint.node);
        break;
      case "required":
        (holds ? this.has : this.lacks).add(constraint.name);
        this.contradictory = (holds ? this.lacks : this.has).has(constraint.name);
        break;
      default:
        this.#combination(constraint, holds);
    }
  }

  #combination(constraint: Constraint, holds: boolean): void {
    switch (constraint.type) {
      case "contains":
        this.#count(constraint, holds);
        break;
      case "dependent":
        if (holds)
          this.#either([[{ holds: false, constraint: constraint.trigger }], [{ holds, node: constraint.node }]]);
        else this.#both({ holds: true, constraint: constraint.trigger }, { holds, node: constraint.node });
        break;
      case "not":
        this.assert({ holds: !holds, node: constraint.node });
        break;
      case "anyOf":
        if (holds) this.#either(constraint.nodes.map((node) => [{ holds, node }]));
        else this.#both(...constraint.nodes.map((node) => ({ holds, node })));
        break;
      case "oneOf":
        this.#budget.spend(constraint.nodes.length ** 2 / 2);
        this.#either(holds ? exactlyOne(constraint.nodes) : noneOrTwo(constraint.nodes));
        break;
      case "if": {
        const branch = (test: boolean): Goal[] => [
          { holds: test, node: constraint.test },
          { holds, node: test ? constraint.yes : constraint.no },
        ];
        this.#either([branch(true), branch(false)]);
        break;
      }
    }
  }

  #narrow(values: ReadonlyMap<string, JsonValue>, others: ReadonlyMap<string, JsonValue>): void {
    this.#budget.spend(values.size / 4);
    this.values = new Map([...values].filter(([text]) => others.has(text)));
  }

  #oppose<P>(opposites: readonly P[], isSame: (constraint: P) => boolean): void {
    this.#budget.spend(opposites.length / ENTRIES_A_STEP);
    this.contradictory = opposites.some(isSame);
  }

  /** Reads a count as "at least one" or "none": the evaluator checks any other number with the value that is found. */
  #count({ min, max, none }: ContainsConstraint, holds: boolean): void {
    const some: Goal = { holds: false, constraint: none };
    if (holds && max === 0) this.assert({ holds, constraint: none });
    else if (holds && min > 0) this.assert(some);
    else if (!holds) {
      const tooFew: Goal[][] = min === 0 ? [] : [min === 1 ? [{ holds: true, constraint: none }] : []];
      this.#either(max === Number.POSITIVE_INFINITY ? tooFew : [...tooFew, [some]]);
    }
  }

  #both(...goals: Goal[]): void {
    for (const goal of goals) this.assert(goal);
  }

  #above({ value, exclusive }: Bound): void {
    if (!this.low || value > this.low.value || (value === this.low.value && exclusive)) this.low = { value, exclusive };
    this.#checkInterval();
  }

  #below({ value, exclusive }: Bound): void {
    if (!this.high || value < this.high.value || (value === this.high.value && exclusive))
      this.high = { value, exclusive };
    this.#checkInterval();
  }

  #checkInterval(): void {
    if (!this.low || !this.high) return;
    const { low, high } = this;
    this.contradictory = low.value > high.value || (low.value === high.value && (low.exclusive || high.exclusive));
  }

  #size(min: number, max: number): void {
    this.minSize = Math.max(this.minSize, min);
    this.maxSize = Math.min(this.maxSize, max);
    this.contradictory = this.minSize > this.maxSize || this.maxSize < 0;
  }
}

const LISTS = [
  "disjunctions",
  "excluded",
  "multiples",
  "notMultiples",
  "patterns",
  "notPatterns",
  "opaque",
  "notOpaque",
  "elements",
  "notElements",
  "members",
  "notMembers",
  "names",
  "notNames",
] as const;
