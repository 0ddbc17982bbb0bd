interface Placed<T> {
  readonly item: T;
  readonly index: number;
}

/** One item of two lists, before and after; at least one of them is there. */
export type Pair<T> =
  | { readonly before: Placed<T>; readonly after: Placed<T> | undefined }
  | { readonly before: undefined; readonly after: Placed<T> };

/** Pairs the items of two lists by their unique keys: those of the first list in its order, then those that are new. */
export function pairByKey<T>(before: readonly T[], after: readonly T[], keyOf: (item: T) => string): Pair<T>[] {
  const young = new Map(after.map((item, index) => [keyOf(item), { item, index }]));
  const pairs: Pair<T>[] = before.map((item, index) => {
    const match = young.get(keyOf(item));
    young.delete(keyOf(item));
    return { before: { item, index }, after: match };
  });
  return [...pairs, ...[...young.values()].map((found) => ({ before: undefined, after: found }))];
}

/** Whether what both lists have comes in another order. */
export function isReordered<T>(pairs: readonly Pair<T>[]): boolean {
  let last = -1;
  for (const { before, after } of pairs) {
    if (before === undefined || after === undefined) continue;
    if (after.index < last) return true;
    last = after.index;
  }
  return false;
}
