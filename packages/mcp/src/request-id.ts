/** The id of a request. */
export type RequestId = string | number;

/**
 * Returns a key that is equal for ids that some reader takes for the same one: `1` and `"1"`, `""` and `0`, `"1e1"` and
 * `10`. The TypeScript SDK turns the ids of answers into numbers.
 */
export function idKey(id: RequestId): string {
  if (typeof id === "number") return String(id === 0 ? 0 : id);
  const number = Number(id);
  return Number.isNaN(number) ? id : idKey(number);
}
