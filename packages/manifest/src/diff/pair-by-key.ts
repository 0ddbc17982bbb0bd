/** An item that is in at least one of two lists. */
export type Pair<T> = {
  /** The item's index in the later list, or in the earlier list if the item is gone. */
  readonly index: number;
} & ({ readonly before: T; readonly after: T | undefined } | { readonly before: undefined; readonly after: T });

/**
 * Pairs the items of two lists by their unique keys. The earlier list's items come first, in their order, and then the
 * new items.
 */
export function pairByKey<T>(before: readonly T[], after: readonly T[], keyOf: (item: T) => string): Pair<T>[] {
  const unpaired = new Map(after.map((item, index) => [keyOf(item), { after: item, index }]));
  const pairs: Pair<T>[] = before.map((item, index) => {
    const match = unpaired.get(keyOf(item));
    unpaired.delete(keyOf(item));
    return match === undefined ? { index, before: item, after: undefined } : { before: item, ...match };
  });
  return [...pairs, ...Array.from(unpaired.values(), (match) => ({ before: undefined, ...match }))];
}

/** Returns whether the common items are in a different order. */
export function isReordered<T>(pairs: readonly Pair<T>[]): boolean {
  const places = pairs.filter(({ before, after }) => before !== undefined && after !== undefined);
  return places.some(({ index }, place) => index < (places[place - 1]?.index ?? 0));
}
