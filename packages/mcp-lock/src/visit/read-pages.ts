import { isJsonObject, type JsonObject, type JsonValue, type PathSegment, toPointer } from "@agentprint/canonical-json";
import type { ListName, NumberTexts } from "@agentprint/mcp";
import { McpLockError } from "../errors.ts";
import { hashDefinition } from "../hash-definition.ts";
import type { NumbersAt } from "./item-numbers.ts";
import { pinnedMembers } from "./pinned-members.ts";

/** An item of a list, and its place in the answers. */
export interface PlacedItem {
  readonly definition: JsonObject;
  readonly place: readonly PathSegment[];
  /** The texts of its numbers that change when they are read as doubles. */
  readonly numbers?: NumberTexts;
}

/** One reading of a list: all its pages together. */
export interface Reading {
  readonly items: readonly PlacedItem[];
  /**
   * The pinned members of the results next to the items: one object if the members are the same on all pages, otherwise
   * an array with one object for each page; absent if no page has such members.
   */
  readonly members?: JsonValue;
}

/**
 * Reads the pages of a list.
 *
 * @throws {@link McpLockError} `invalid-definition` if a page has no array of items, or if an item is not an object.
 */
export function readPages(
  list: ListName,
  pages: readonly JsonObject[],
  at: readonly PathSegment[],
  numbersAt: NumbersAt,
): Reading {
  const items = pages.flatMap((page, number): PlacedItem[] => {
    const found = page[list];
    const place = [...at, number, list];
    if (!Array.isArray(found)) {
      throw new McpLockError("invalid-definition", toPointer(place), `Expected an array of ${list}`);
    }
    return found.map((definition, index) => {
      if (isJsonObject(definition)) return placed(definition, [...place, index], numbersAt);
      throw new McpLockError("invalid-definition", toPointer([...place, index]), "Expected an object");
    });
  });
  const members = pages.map((page) => pinnedMembers(page, [list]));
  const isBare = members.every((member) => Object.keys(member).length === 0);
  const isOne = new Set(members.map((member, number) => hashDefinition(member, [...at, number]))).size === 1;
  return { items, ...(!isBare && { members: isOne ? (members[0] as JsonObject) : members }) };
}

/** Returns an item with its number texts; the first two segments of its place lead to the session. */
function placed(definition: JsonObject, place: readonly PathSegment[], numbersAt: NumbersAt): PlacedItem {
  const numbers = numbersAt(place.slice(2));
  return { definition, place, ...(numbers && { numbers }) };
}
