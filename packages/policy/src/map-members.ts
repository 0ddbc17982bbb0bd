/** Returns an object with the same names, whose values are those that `map` returns. */
export function mapMembers<T, U>(
  object: { readonly [name: string]: T },
  map: (value: T, name: string) => U,
): { [name: string]: U } {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));
}
