import { type StepBudget, UNITS_A_STEP } from "../budget.ts";
import { MAX_CLASS_DEPTH, MAX_CLASS_KEY_UNITS } from "../limits.ts";
import type { Constraint, SchemaNode } from "../schema-graph.ts";

/** The number of UTF-16 code units of a key that are written, sorted and looked up in one step. */
const KEY_UNITS_A_STEP: number = UNITS_A_STEP / 2;

/**
 * Gives equal nodes of both documents equal numbers. The order of constraints, names, values and alternatives does not
 * matter, because they are sorted first. Nodes that do not lead to a cycle are numbered from the leaves up. All other
 * nodes begin in the same class. Classes are split repeatedly by the constraints of their nodes until no class changes.
 *
 * When the budget is used up, the numbers have no meaning.
 */
export function assignClasses(nodes: Iterable<SchemaNode>, budget: StepBudget): void {
  const numbers = new Map<string, number>();
  // The keys are constraints and not nodes, because a schema that is only a reference shares its target's constraints.
  const keys = new Map<readonly Constraint[], number | undefined>();
  const said = new ConstraintKeys(budget);
  const active = new Set<readonly Constraint[]>();
  const cyclic = new Set<SchemaNode>();
  let last = 0;

  const keyOf = (constraints: readonly Constraint[], depth: number): number | undefined => {
    if (keys.has(constraints)) return keys.get(constraints);
    active.add(constraints);
    let isCyclic = false;
    const numbersOfConstraints = constraints.map((constraint) => {
      let isConstraintCyclic = false;
      const number = said.numberOf(
        constraint,
        (child) => {
          if (leadsToCycle(child, depth + 1)) isConstraintCyclic = true;
          return child.equivalenceClass;
        },
        () => !isConstraintCyclic,
      );
      isCyclic ||= isConstraintCyclic;
      return number;
    });
    active.delete(constraints);
    keys.set(constraints, isCyclic ? undefined : said.numberOfAll(numbersOfConstraints));
    return keys.get(constraints);
  };

  /** Numbers a node, unless it leads to a cycle. */
  const leadsToCycle = (node: SchemaNode, depth: number): boolean => {
    if (node.equivalenceClass > 0) return false;
    if (active.has(node.constraints)) return true;
    const key = depth > MAX_CLASS_DEPTH ? `too deep: ${last}` : keyOf(node.constraints, depth);
    if (key === undefined) cyclic.add(node);
    else node.equivalenceClass = numberOf(numbers, `${node.kinds}:${key}`, ++last);
    return key === undefined;
  };
  for (const node of nodes) leadsToCycle(node, 0);
  splitClasses([...cyclic], last + 1, budget);
}

/**
 * Gives constraints with equal meaning equal numbers. Each constraint is read only once, because many schemas can share
 * a large one.
 */
class ConstraintKeys {
  readonly #budget: StepBudget;
  readonly #numbers = new Map<string, number>();
  readonly #known = new Map<Constraint, number>();
  /** The number of UTF-16 code units of all keys that were written. */
  length = 0;

  constructor(budget: StepBudget) {
    this.#budget = budget;
  }

  /**
   * @param isFinal Returns, after the children were numbered, whether the number can be remembered for the next use of
   * the constraint.
   */
  numberOf(constraint: Constraint, child: (node: SchemaNode) => number, isFinal = (): boolean => true): number {
    const known = this.#known.get(constraint);
    if (known !== undefined) return known;
    const number = this.#number(constraintKey(constraint, child));
    if (isFinal()) this.#known.set(constraint, number);
    return number;
  }

  /** Returns one number for several constraints together. */
  numberOfAll(constraints: readonly number[]): number {
    return this.#number([...constraints].sort((a, b) => a - b).join(";"));
  }

  #number(key: string): number {
    this.length += key.length;
    this.#budget.spend(1 + key.length / KEY_UNITS_A_STEP);
    return numberOf(this.#numbers, key, this.#numbers.size);
  }
}

/** Numbers the nodes that lead to a cycle, beginning with `first`. */
function splitClasses(nodes: readonly SchemaNode[], first: number, budget: StepBudget): void {
  for (const node of nodes) node.equivalenceClass = first;
  let classes = 0;
  for (let spent = 0; spent <= MAX_CLASS_KEY_UNITS; ) {
    const numbers = new Map<string, number>();
    const said = new ConstraintKeys(budget);
    const saidBy = new Map<readonly Constraint[], number>();
    for (const constraints of new Set(nodes.map((node) => node.constraints))) {
      saidBy.set(
        constraints,
        said.numberOfAll(constraints.map((constraint) => said.numberOf(constraint, (node) => node.equivalenceClass))),
      );
    }
    spent += said.length;
    const classNumbers = nodes.map(({ kinds, constraints }) =>
      numberOf(numbers, `${kinds}:${saidBy.get(constraints)}`, first + numbers.size),
    );
    for (const [i, node] of nodes.entries()) node.equivalenceClass = classNumbers[i] as number;
    if (numbers.size === classes) return;
    classes = numbers.size;
  }
  for (const [i, node] of nodes.entries()) node.equivalenceClass = first + i;
}

function numberOf(numbers: Map<string, number>, key: string, next: number): number {
  const known = numbers.get(key);
  if (known === undefined) numbers.set(key, next);
  return known ?? next;
}

/** Returns a key that is equal for constraints with equal meaning. */
export function constraintKey(constraint: Constraint, child: (node: SchemaNode) => number): string {
  return `${constraint.type}/${constraint.kinds}/${meaning(constraint, child)}`;
}

function meaning(constraint: Constraint, child: (node: SchemaNode) => number): string {
  switch (constraint.type) {
    case "enum":
      return [...constraint.values.keys()].sort().join();
    case "minimum":
    case "maximum":
      return `${constraint.value}${constraint.exclusive ? "!" : ""}`;
    case "pattern":
      return JSON.stringify(constraint.source);
    case "uniqueItems":
      return "";
    case "elements":
      return `${constraint.prefix.map(child).join()}+${child(constraint.rest)}`;
    case "contains":
      return `${constraint.min}-${constraint.max}:${child(constraint.node)}`;
    case "required":
      return JSON.stringify(constraint.name);
    case "members": {
      const members = [...constraint.properties].map(([name, node]) => `${JSON.stringify(name)}:${child(node)}`);
      const patterns = constraint.patterns.map(({ source, node }) => `${JSON.stringify(source)}=${child(node)}`);
      return `${members.sort().join()}+${patterns.sort().join()}+${child(constraint.rest)}`;
    }
    case "propertyNames":
    case "not":
      return String(child(constraint.node));
    case "dependent":
      return `${JSON.stringify(constraint.trigger.name)}:${child(constraint.node)}`;
    case "anyOf":
    case "oneOf":
      return constraint.nodes.map(child).sort().join();
    case "if":
      return [constraint.test, constraint.yes, constraint.no].map(child).join();
    case "opaque":
      return JSON.stringify(constraint.key);
    default:
      return String(constraint.value);
  }
}
