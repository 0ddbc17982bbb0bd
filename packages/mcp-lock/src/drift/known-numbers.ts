import type { JsonObject } from "@agentprint/canonical-json";
import { ITEM_KINDS, ITEMS, itemName, type VisitAnswers } from "@agentprint/mcp";
import { inexactIntegers } from "@agentprint/tool-pins/judgement";
import { itemsOfEntry, type LockedItem, type LockedServer, type LockedTool } from "../lock/lock.ts";
import { sealServer } from "../lock/lock-server.ts";
import { digestOf } from "../lock/session-state.ts";
import type { Remark } from "./drift.ts";

/** Returns whether the answers were passed as parsed values, so that the texts of their numbers are unknown. */
function areValues({ sessions }: VisitAnswers): boolean {
  return sessions.some(({ numbers }) => numbers === undefined);
}

/**
 * Returns a visit's entry; if the visit does not know the number texts and the digests are the same, the entry has the
 * locked entry's number texts.
 */
export function withKnownNumbers(locked: LockedServer, visited: LockedServer, found: VisitAnswers): LockedServer {
  if (!areValues(found) || !ITEM_KINDS.some((kind) => itemsOfEntry(locked, kind).some(({ numbers }) => numbers))) {
    return visited;
  }
  const lists = ITEM_KINDS.map((kind) => {
    const before = itemsOfEntry(locked, kind);
    const known = (item: LockedTool | LockedItem) => {
      const same = before.find((other) => isSame(other, item, ITEMS[kind].key));
      return same?.numbers === undefined || item.numbers !== undefined ? item : { ...item, numbers: same.numbers };
    };
    return [ITEMS[kind].list, itemsOfEntry(visited, kind).map(known)];
  });
  return sealServer({ ...visited, ...Object.fromEntries(lists) });
}

type Item = (LockedTool | LockedItem) & { readonly definition: JsonObject };

function isSame(one: Item, other: Item, key: string): boolean {
  return one.definition[key] === other.definition[key] && digestOf(one) === digestOf(other);
}

/** Returns the remarks about integers that could not be compared because the answers were passed as parsed values. */
export function integerRemarks(visited: LockedServer, found: VisitAnswers): Remark[] {
  if (!areValues(found)) return [];
  return ITEM_KINDS.flatMap((kind) =>
    itemsOfEntry(visited, kind).flatMap(({ definition }): Remark[] => {
      const pointers = inexactIntegers(definition);
      return pointers.length === 0
        ? []
        : [{ type: "integers-not-compared", kind, name: itemName(kind, definition), pointers }];
    }),
  );
}
