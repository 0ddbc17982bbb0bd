import { isSameJson, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import { checkArgument } from "./check-argument.ts";

/**
 * Returns the cursor for the page after the given one, `undefined` if there is none, and `null` if the member is not a
 * cursor. Only an absent or null `nextCursor` marks the end; an empty string names another page.
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
  // The specification does not allow null here. Servers that write null mean that there is no further page.
  if (nextCursor === undefined || nextCursor === null) return undefined;
  return typeof nextCursor === "string" ? nextCursor : null;
}

/**
 * Returns whether a page requested with an empty cursor has the items of the first page: a server that reads an empty
 * cursor as no cursor starts the list again, so the list has ended.
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
