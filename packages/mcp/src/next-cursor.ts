import { isSameJson, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import { checkArgument } from "./check-argument.ts";

/**
 * Returns the cursor of the page after a page, `undefined` if there is none, and `null` if the member is not a cursor.
 * Only an absent or null `nextCursor` is the end; an empty text names another page.
 *
 * @example
 * ```ts
 * import { nextCursorOf } from "@agentprint/mcp";
 *
 * console.log(nextCursorOf({ nextCursor: "" }), nextCursorOf({ nextCursor: null }), nextCursorOf({ nextCursor: 2 })); //  undefined null
 * ```
 */
export function nextCursorOf(page: JsonObject): string | undefined | null {
  checkArgument("page", page, "object");
  const { nextCursor } = page;
  // The specification has no null here. Servers that write null mean that there is no further page.
  if (nextCursor === undefined || nextCursor === null) return undefined;
  return typeof nextCursor === "string" ? nextCursor : null;
}

/**
 * Returns whether the items of a page requested with a cursor are those of the first page: a server that reads an empty
 * cursor as no cursor starts the list again, which is its end.
 *
 * @example
 * ```ts
 * import { isBegunAgain } from "@agentprint/mcp";
 *
 * console.log(isBegunAgain("", [], []), isBegunAgain("1", [], [])); // true false
 * ```
 */
export function isBegunAgain(
  cursor: string | undefined,
  items: JsonValue | undefined,
  first: JsonValue | undefined,
): boolean {
  return cursor === "" && isSameJson(items, first);
}
