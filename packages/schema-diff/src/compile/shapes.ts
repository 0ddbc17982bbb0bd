import type { Node, Part } from "../node.ts";

/** Nested deeper than this, a node is only equal to itself. */
const MAX_DEPTH = 400;
/** Characters of keys that nodes inside themselves may take; where more are needed, each is only equal to itself. */
const MAX_KEY_LENGTH = 10_000_000;

/**
 * Gives equal nodes of both documents equal numbers. Order never matters: parts, names, values and alternatives are
 * sorted. Nodes that lead to no cycle are numbered from the leaves up. The others are equal unless something tells them
 * apart: they begin as one class, which is split by what they say until nothing splits it any more.
 */
export function assignShapes(nodes: Iterable<Node>): void {
  const numbers = new Map<string, number>();
  // By parts and not by node: a schema that is nothing but a reference has the parts of the one that it refers to.
  const keys = new Map<readonly Part[], number | undefined>();
  const said = new Map<string, number>();
  const active = new Set<readonly Part[]>();
  const cyclic = new Set<Node>();
  let last = 0;

  const keyOf = (parts: readonly Part[], depth: number): number | undefined => {
    if (keys.has(parts)) return keys.get(parts);
    active.add(parts);
    let isCyclic = false;
    const key = partsKey(parts, (child) => {
      if (leadsToCycle(child, depth + 1)) isCyclic = true;
      return child.shape;
    });
    active.delete(parts);
    keys.set(parts, isCyclic ? undefined : numberOf(said, key, said.size));
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
  splitClasses([...cyclic], last + 1);
}

/** Numbers nodes that lead to a cycle, from `first` on. */
function splitClasses(nodes: readonly Node[], first: number): void {
  for (const node of nodes) node.shape = first;
  let classes = 0;
  for (let spent = 0; spent <= MAX_KEY_LENGTH; ) {
    const numbers = new Map<string, number>();
    const said = new Map<string, number>();
    const saidBy = new Map<readonly Part[], number>();
    for (const parts of new Set(nodes.map((node) => node.parts))) {
      const key = partsKey(parts, (child) => child.shape);
      spent += key.length;
      saidBy.set(parts, numberOf(said, key, said.size));
    }
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

function partsKey(parts: readonly Part[], child: (node: Node) => number): string {
  return parts
    .map((part) => partKey(part, child))
    .sort()
    .join(";");
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
