import { type StepBudget, UNITS_A_STEP } from "../budget.ts";
import type { Node, Part } from "../node.ts";

/** Nested deeper than this, a node is only equal to itself. */
const MAX_DEPTH = 400;
/** Characters of keys that nodes inside themselves may take; where more are needed, each is only equal to itself. */
const MAX_KEY_LENGTH = 10_000_000;

/** Characters of a key that are written, sorted and looked up in one step. */
const KEY_UNITS_A_STEP: number = UNITS_A_STEP / 2;

/**
 * Gives equal nodes of both documents equal numbers. Order never matters: parts, names, values and alternatives are
 * sorted. Nodes that lead to no cycle are numbered from the leaves up. The others are equal unless something tells them
 * apart: they begin as one class, which is split by what they say until nothing splits it any more.
 *
 * Where the budget does not suffice, the numbers mean nothing.
 */
export function assignShapes(nodes: Iterable<Node>, budget: StepBudget): void {
  const numbers = new Map<string, number>();
  // By parts and not by node: a schema that is nothing but a reference has the parts of the one that it refers to.
  const keys = new Map<readonly Part[], number | undefined>();
  const said = new PartKeys(budget);
  const active = new Set<readonly Part[]>();
  const cyclic = new Set<Node>();
  let last = 0;

  const keyOf = (parts: readonly Part[], depth: number): number | undefined => {
    if (keys.has(parts)) return keys.get(parts);
    active.add(parts);
    let isCyclic = false;
    const numbersOfParts = parts.map((part) => {
      let isPartCyclic = false;
      const number = said.numberOf(
        part,
        (child) => {
          if (leadsToCycle(child, depth + 1)) isPartCyclic = true;
          return child.shape;
        },
        () => !isPartCyclic,
      );
      isCyclic ||= isPartCyclic;
      return number;
    });
    active.delete(parts);
    keys.set(parts, isCyclic ? undefined : said.numberOfAll(numbersOfParts));
    return keys.get(parts);
  };

  /** Numbers a node, unless it leads to a cycle. */
  const leadsToCycle = (node: Node, depth: number): boolean => {
    if (node.shape > 0) return false;
    if (active.has(node.parts)) return true;
    const key = depth > MAX_DEPTH ? `too deep: ${last}` : keyOf(node.parts, depth);
    if (key === undefined) cyclic.add(node);
    else node.shape = numberOf(numbers, `${node.kinds}:${key}`, ++last);
    return key === undefined;
  };
  for (const node of nodes) leadsToCycle(node, 0);
  splitClasses([...cyclic], last + 1, budget);
}

/** Numbers what parts say, each part once: many schemas can share a large one. */
class PartKeys {
  readonly #budget: StepBudget;
  readonly #numbers = new Map<string, number>();
  readonly #known = new Map<Part, number>();
  /** Characters of all keys that were written. */
  length = 0;

  constructor(budget: StepBudget) {
    this.#budget = budget;
  }

  /** @param isFinal Asked after the children: whether the number holds wherever the part is met again. */
  numberOf(part: Part, child: (node: Node) => number, isFinal = (): boolean => true): number {
    const known = this.#known.get(part);
    if (known !== undefined) return known;
    const number = this.#number(partKey(part, child));
    if (isFinal()) this.#known.set(part, number);
    return number;
  }

  /** The number of several parts together. */
  numberOfAll(parts: readonly number[]): number {
    return this.#number([...parts].sort((a, b) => a - b).join(";"));
  }

  #number(key: string): number {
    this.length += key.length;
    this.#budget.spend(1 + key.length / KEY_UNITS_A_STEP);
    return numberOf(this.#numbers, key, this.#numbers.size);
  }
}

/** Numbers nodes that lead to a cycle, from `first` on. */
function splitClasses(nodes: readonly Node[], first: number, budget: StepBudget): void {
  for (const node of nodes) node.shape = first;
  let classes = 0;
  for (let spent = 0; spent <= MAX_KEY_LENGTH; ) {
    const numbers = new Map<string, number>();
    const said = new PartKeys(budget);
    const saidBy = new Map<readonly Part[], number>();
    for (const parts of new Set(nodes.map((node) => node.parts))) {
      saidBy.set(parts, said.numberOfAll(parts.map((part) => said.numberOf(part, ({ shape }) => shape))));
    }
    spent += said.length;
    const shapes = nodes.map(({ kinds, parts }) =>
      numberOf(numbers, `${kinds}:${saidBy.get(parts)}`, first + numbers.size),
    );
    for (const [i, node] of nodes.entries()) node.shape = shapes[i] as number;
    if (numbers.size === classes) return;
    classes = numbers.size;
  }
  for (const [i, node] of nodes.entries()) node.shape = first + i;
}

function numberOf(numbers: Map<string, number>, key: string, next: number): number {
  const known = numbers.get(key);
  if (known === undefined) numbers.set(key, next);
  return known ?? next;
}

/** A text that is equal for parts that say the same. */
export function partKey(part: Part, child: (node: Node) => number): string {
  return `${part.part}/${part.kinds}/${meaning(part, child)}`;
}

function meaning(part: Part, child: (node: Node) => number): string {
  switch (part.part) {
    case "enum":
      return [...part.values.keys()].sort().join();
    case "minimum":
    case "maximum":
      return `${part.value}${part.open ? "!" : ""}`;
    case "pattern":
      return JSON.stringify(part.source);
    case "uniqueItems":
      return "";
    case "elements":
      return `${part.prefix.map(child).join()}+${child(part.rest)}`;
    case "contains":
      return `${part.min}-${part.max}:${child(part.node)}`;
    case "required":
      return JSON.stringify(part.name);
    case "members": {
      const members = [...part.properties].map(([name, node]) => `${JSON.stringify(name)}:${child(node)}`);
      const patterns = part.patterns.map(({ source, node }) => `${JSON.stringify(source)}=${child(node)}`);
      return `${members.sort().join()}+${patterns.sort().join()}+${child(part.rest)}`;
    }
    case "propertyNames":
    case "not":
      return String(child(part.node));
    case "dependent":
      return `${JSON.stringify(part.trigger.name)}:${child(part.node)}`;
    case "any":
    case "one":
      return part.nodes.map(child).sort().join();
    case "if":
      return [part.test, part.yes, part.no].map(child).join();
    case "opaque":
      return JSON.stringify(part.key);
    default:
      return String(part.value);
  }
}
