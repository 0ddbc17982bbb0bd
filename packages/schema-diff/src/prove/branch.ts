import type { JsonValue } from "@agentprint/canonical-json";
import { ENTRIES_A_STEP, type StepBudget } from "../budget.ts";
import type { ContainsPart, ElementsPart, MembersPart, Node, OpaquePart, Part, PatternPart } from "../node.ts";

/** A statement that the value searched for must fulfil, or must not. */
export type Goal = { readonly holds: boolean } & ({ readonly node: Node } | { readonly part: Part });

export interface Bound {
  readonly value: number;
  readonly open: boolean;
}

/**
 * What is known about a value of one kind: the facts that follow from the goals asserted so far, and the
 * disjunctions still to be decided. Asserting only ever adds facts or drops what cannot be expressed, so that the
 * facts always describe at least all the values that fulfil the goals.
 */
export class Branch {
  readonly kind: number;
  /** Two facts contradict each other: there is no such value. */
  closed = false;
  /** Each a list of alternatives, each a list of goals. */
  splits: Goal[][][] = [];
  values: ReadonlyMap<string, JsonValue> | undefined;
  excluded: ReadonlyMap<string, JsonValue>[] = [];
  low: Bound | undefined;
  high: Bound | undefined;
  multiples: number[] = [];
  notMultiples: number[] = [];
  /** Length of a string, number of elements or members. */
  minSize = 0;
  maxSize: number = Number.POSITIVE_INFINITY;
  patterns: PatternPart[] = [];
  notPatterns: PatternPart[] = [];
  opaque: OpaquePart[] = [];
  notOpaque: OpaquePart[] = [];
  unique = false;
  repeated = false;
  elements: ElementsPart[] = [];
  notElements: ElementsPart[] = [];
  has: Set<string> = new Set();
  lacks: Set<string> = new Set();
  members: MembersPart[] = [];
  notMembers: MembersPart[] = [];
  names: Node[] = [];
  notNames: Node[] = [];
  readonly #budget: StepBudget;
  /** Shapes of the nodes that hold, and of those that do not. */
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
    copy.lacks = new Set(this.lacks);
    copy.#true = new Set(this.#true);
    copy.#false = new Set(this.#false);
    return copy;
  }

  assert(goal: Goal): void {
    if (this.closed) return;
    if ("part" in goal) this.#part(goal.part, goal.holds);
    else this.#node(goal.node, goal.holds);
  }

  /** How many goals the disjunctions that are still to be decided have, all alternatives taken to be as long as the first. */
  get openGoals(): number {
    return this.splits.reduce((sum, split) => sum + split.length * (split[0]?.length ?? 0), 0);
  }

  /** The alternatives of a disjunction that are not refuted at first sight. */
  open(split: readonly Goal[][]): Goal[][] {
    return split.filter((alternative) => !alternative.some((goal) => this.#refutes(goal)));
  }

  #refutes(goal: Goal): boolean {
    const { holds } = goal;
    if ("part" in goal) return goal.part.part === "required" && (holds ? this.lacks : this.has).has(goal.part.name);
    if (!(goal.node.kinds & this.kind)) return holds;
    return (holds ? this.#false : this.#true).has(goal.node.shape);
  }

  #node(node: Node, holds: boolean): void {
    const accepts = (node.kinds & this.kind) !== 0;
    if (!accepts) {
      this.closed = holds;
      return;
    }
    const [same, opposite] = holds ? [this.#true, this.#false] : [this.#false, this.#true];
    if (opposite.has(node.shape)) this.closed = true;
    if (same.has(node.shape) || this.closed) return;
    same.add(node.shape);
    this.#budget.spend(1 + node.parts.length / ENTRIES_A_STEP);
    const parts = node.parts.filter((part) => part.kinds & this.kind);
    if (holds) for (const part of parts) this.assert({ holds, part });
    else this.#either(parts.map((part) => [{ holds, part }]));
  }

  #either(alternatives: Goal[][]): void {
    const [first, ...others] = alternatives;
    if (!first) this.closed = true;
    else if (others.length === 0) for (const goal of first) this.assert(goal);
    else this.splits.push(alternatives);
  }

  #part(part: Part, holds: boolean): void {
    switch (part.part) {
      case "enum":
        if (!holds) this.excluded.push(part.values);
        else if (this.values) this.#narrow(this.values, part.values);
        else this.values = part.values;
        break;
      case "minimum":
        if (holds) this.#above(part);
        else this.#below({ value: part.value, open: !part.open });
        break;
      case "maximum":
        if (holds) this.#below(part);
        else this.#above({ value: part.value, open: !part.open });
        break;
      case "multipleOf":
        (holds ? this.multiples : this.notMultiples).push(part.value);
        break;
      case "minLength":
      case "minItems":
      case "minProperties":
        this.#size(holds ? part.value : 0, holds ? Number.POSITIVE_INFINITY : part.value - 1);
        break;
      case "maxLength":
      case "maxItems":
      case "maxProperties":
        this.#size(holds ? 0 : part.value + 1, holds ? part.value : Number.POSITIVE_INFINITY);
        break;
      case "pattern":
        (holds ? this.patterns : this.notPatterns).push(part);
        this.#oppose(holds ? this.notPatterns : this.patterns, ({ source }) => source === part.source);
        break;
      case "opaque":
        (holds ? this.opaque : this.notOpaque).push(part);
        this.#oppose(holds ? this.notOpaque : this.opaque, ({ key }) => key === part.key);
        break;
      case "uniqueItems":
        if (holds) this.unique = true;
        else this.repeated = true;
        this.closed = this.unique && this.repeated;
        break;
      case "elements":
        (holds ? this.elements : this.notElements).push(part);
        break;
      case "members":
        (holds ? this.members : this.notMembers).push(part);
        break;
      case "propertyNames":
        (holds ? this.names : this.notNames).push(part.node);
        break;
      case "required":
        (holds ? this.has : this.lacks).add(part.name);
        this.closed = (holds ? this.lacks : this.has).has(part.name);
        break;
      default:
        this.#combination(part, holds);
    }
  }

  #combination(part: Part, holds: boolean): void {
    switch (part.part) {
      case "contains":
        this.#count(part, holds);
        break;
      case "dependent":
        if (holds) this.#either([[{ holds: false, part: part.trigger }], [{ holds, node: part.node }]]);
        else this.#both({ holds: true, part: part.trigger }, { holds, node: part.node });
        break;
      case "not":
        this.assert({ holds: !holds, node: part.node });
        break;
      case "any":
        if (holds) this.#either(part.nodes.map((node) => [{ holds, node }]));
        else this.#both(...part.nodes.map((node) => ({ holds, node })));
        break;
      case "one":
        this.#budget.spend(part.nodes.length ** 2 / 2);
        this.#either(holds ? exactlyOne(part.nodes) : noneOrTwo(part.nodes));
        break;
      case "if": {
        const branch = (test: boolean): Goal[] => [
          { holds: test, node: part.test },
          { holds, node: test ? part.yes : part.no },
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

  #oppose<P>(opposites: readonly P[], isSame: (part: P) => boolean): void {
    this.#budget.spend(opposites.length / ENTRIES_A_STEP);
    this.closed = opposites.some(isSame);
  }

  /** Counting beyond "some" and "none" is dropped; the value found is judged as a whole. */
  #count({ min, max, none }: ContainsPart, holds: boolean): void {
    const some: Goal = { holds: false, part: none };
    if (holds && max === 0) this.assert({ holds, part: none });
    else if (holds && min > 0) this.assert(some);
    else if (!holds) {
      const tooFew: Goal[][] = min === 0 ? [] : [min === 1 ? [{ holds: true, part: none }] : []];
      this.#either(max === Number.POSITIVE_INFINITY ? tooFew : [...tooFew, [some]]);
    }
  }

  #both(...goals: Goal[]): void {
    for (const goal of goals) this.assert(goal);
  }

  #above({ value, open }: Bound): void {
    if (!this.low || value > this.low.value || (value === this.low.value && open)) this.low = { value, open };
    this.#checkInterval();
  }

  #below({ value, open }: Bound): void {
    if (!this.high || value < this.high.value || (value === this.high.value && open)) this.high = { value, open };
    this.#checkInterval();
  }

  #checkInterval(): void {
    if (!this.low || !this.high) return;
    const { low, high } = this;
    this.closed = low.value > high.value || (low.value === high.value && (low.open || high.open));
  }

  #size(min: number, max: number): void {
    this.minSize = Math.max(this.minSize, min);
    this.maxSize = Math.min(this.maxSize, max);
    this.closed = this.minSize > this.maxSize || this.maxSize < 0;
  }
}

const LISTS = [
  "splits",
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

function exactlyOne(nodes: readonly Node[]): Goal[][] {
  return nodes.map((chosen) => nodes.map((node) => ({ holds: node === chosen, node })));
}

function noneOrTwo(nodes: readonly Node[]): Goal[][] {
  const alternatives: Goal[][] = [nodes.map((node) => ({ holds: false, node }))];
  for (const [i, node] of nodes.entries()) {
    for (const other of nodes.slice(i + 1))
      alternatives.push([
        { holds: true, node },
        { holds: true, node: other },
      ]);
  }
  return alternatives;
}
