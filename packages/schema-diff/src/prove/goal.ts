import type { Constraint, SchemaNode } from "../schema-graph.ts";

/** A statement that the value must fulfil (`holds`), or must violate. */
export type Goal = { readonly holds: boolean } & ({ readonly node: SchemaNode } | { readonly constraint: Constraint });

/** Returns the ways in which exactly one of the schemas holds. */
export function exactlyOne(nodes: readonly SchemaNode[]): Goal[][] {
  return nodes.map((chosen) => nodes.map((node) => ({ holds: node === chosen, node })));
}

/** Returns the ways in which none of the schemas holds, or two do. */
export function noneOrTwo(nodes: readonly SchemaNode[]): Goal[][] {
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

/** Returns whether one of the nodes is equal to another node. */
export function isAmong(nodes: readonly SchemaNode[], { equivalenceClass }: SchemaNode): boolean {
  return nodes.some((node) => node.equivalenceClass === equivalenceClass);
}
