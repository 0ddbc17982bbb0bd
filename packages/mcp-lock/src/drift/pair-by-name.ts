import { compareCodeUnits, type JsonObject } from "@agentprint/canonical-json";
import { type ItemKind, itemName } from "@agentprint/mcp";

/** The entries that two lists have under the same name. */
export interface NamedPair<T> {
  readonly name: string;
  readonly before?: T;
  readonly after?: T;
}

/** Pairs the entries of two lists by the name of their definitions; the pairs are sorted by name. */
export function pairByName<T extends { readonly definition: JsonObject }>(
  before: readonly T[],
  after: readonly T[],
  kind: ItemKind,
): NamedPair<T>[] {
  const pairs = new Map<string, NamedPair<T>>();
  for (const entry of before) {
    const name = itemName(kind, entry.definition);
    pairs.set(name, { name, before: entry });
  }
  for (const entry of after) {
    const name = itemName(kind, entry.definition);
    pairs.set(name, { ...pairs.get(name), name, after: entry });
  }
  return [...pairs.values()].sort((a, b) => compareCodeUnits(a.name, b.name));
}
