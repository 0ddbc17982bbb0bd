import type { Node, Part } from "../node.ts";

/** Nested deeper than this, a node is only equal to itself. */
const MAX_DEPTH = 400;

/**
 * Gives equal nodes of both documents equal numbers, from the leaves up. Order never matters: parts, names, values and
 * alternatives are sorted. A node that contains itself is only equal to itself; its equality takes a proof by induction.
 */
export function assignShapes(nodes: Iterable<Node>): void {
  const numbers = new Map<string, number>();
  const recursive = new Set<Node>();
  const active = new Set<Node>();
  let last = 0;

  const shapeOf = (node: Node, depth: number): number => {
    if (active.has(node)) {
      recursive.add(node);
      return node.shape;
    }
    if (node.shape > 0) return node.shape;
    node.shape = ++last;
    if (depth > MAX_DEPTH) return node.shape;
    active.add(node);
    const child = (inner: Node): number => shapeOf(inner, depth + 1);
    const key = `${node.kinds}:${node.parts
      .map((part) => partKey(part, child))
      .sort()
      .join(";")}`;
    active.delete(node);
    if (recursive.has(node)) return node.shape;
    const known = numbers.get(key);
    if (known === undefined) numbers.set(key, node.shape);
    else node.shape = known;
    return node.shape;
  };
  for (const node of nodes) shapeOf(node, 0);
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
