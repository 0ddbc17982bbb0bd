import { canonicalize, fromPointer, type PathSegment, toPointer } from "@agentprint/canonical-json";
import { type NumberTexts, numbersByPart, type SessionAnswers } from "@agentprint/mcp";
import { McpLockError } from "../errors.ts";

/**
 * The number of segments in pointers to a session's items and contents: `/lists/tools/0/0/tools/3`,
 * `/contents/0/results/0`.
 */
export const ITEM_DEPTH = 6;
const RESULT_DEPTH = 4;

/** Returns the number texts of an item, or of a content's result, at a pointer in the session. */
export type NumbersAt = (path: readonly PathSegment[]) => NumberTexts | undefined;

/**
 * Returns a session's number texts, by the items that hold the numbers.
 *
 * @throws {@link McpLockError} `invalid-definition` if a number next to the items changes when it is read as a double,
 * because a lock has no place for its text.
 */
export function numbersOfItems(
  { numbers = {} }: Pick<SessionAnswers, "numbers">,
  at: readonly PathSegment[],
): NumbersAt {
  for (const [pointer, text] of Object.entries(numbers)) {
    const path = fromPointer(pointer);
    const [kind, list, , , items] = path;
    const isOfItem = kind === "lists" && items === list && path.length > ITEM_DEPTH;
    const isOfContent = kind === "contents" && path.length > RESULT_DEPTH;
    if (isOfItem || isOfContent) continue;
    const message = `Expected a number that a double holds next to the items of a list, found ${text.slice(0, MAX_SHOWN)}`;
    throw new McpLockError("invalid-definition", toPointer(at) + pointer, message);
  }
  const [items, results] = [numbersByPart(numbers, ITEM_DEPTH), numbersByPart(numbers, RESULT_DEPTH)];
  return (path) => (path[0] === "contents" ? results : items).get(toPointer(path));
}

/** How many characters of a number an error shows. */
const MAX_SHOWN = 40;

/** Returns a text that is the same for equal numbers, and empty if there are no numbers. */
export function numbersKey(numbers: NumberTexts | undefined): string {
  return numbers === undefined ? "" : canonicalize(numbers);
}
