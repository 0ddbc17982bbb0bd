/** Returns a schema nested the given number of times. */
export function nested(levels: number, wrap: (inner: unknown) => unknown, leaf: unknown): unknown {
  let schema = leaf;
  for (let i = 0; i < levels; i++) schema = wrap(schema);
  return schema;
}
