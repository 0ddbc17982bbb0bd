/** The id of a request. */
export type RequestId = string | number;

/**
 * Returns a key that is equal for ids that some readers confuse: `1` and `"1"`, `""` and `0`, `"1e1"` and `10`. The
 * TypeScript SDK turns the ids of answers into numbers.
 */
export function idKey(id: RequestId): string {
  if (typeof id === "number") return String(id === 0 ? 0 : id);
  const number = Number(id);
  return Number.isNaN(number) ? id : idKey(number);
}

/**
 * Returns whether an answer with the id `answered` over stdio answers the request `asked`: it has the same id, or
 * exactly the decimal text of an integer id, which some servers echo and the official clients accept.
 *
 * @example
 * ```ts
 * import { isEchoOf } from "@agentprint/mcp";
 *
 * console.log(isEchoOf("7", 7), isEchoOf("07", 7), isEchoOf(7, "7")); // true false false
 * ```
 */
export function isEchoOf(answered: RequestId, asked: RequestId): boolean {
  return answered === asked || (Number.isSafeInteger(asked) && answered === String(asked));
}
