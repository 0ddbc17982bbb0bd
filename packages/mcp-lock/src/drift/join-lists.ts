import { fromPointer, type JsonChange, type JsonObject, type JsonValue, toPointer } from "@agentprint/canonical-json";
import { keywordAt } from "@agentprint/tool-pins/judgement";
import { valueAt } from "./value-at.ts";

const ELEMENT = /\/\d+$/;

/**
 * Returns the changes; if an element moved within a list of scalars, all changes in the list become one change that
 * holds both complete lists.
 */
export function joinLists(changes: readonly JsonChange[], before: JsonObject, after: JsonObject): JsonChange[] {
  const lists = new Map<string, JsonChange | undefined>();
  const joined = changes.map((change) => {
    if (!ELEMENT.test(change.pointer)) return change;
    const path = fromPointer(change.pointer).slice(0, -1);
    const pointer = toPointer(path);
    if (!lists.has(pointer)) lists.set(pointer, moved(pointer, valueAt(before, path), valueAt(after, path)));
    return lists.get(pointer) ?? change;
  });
  return [...new Set(joined)];
}

function moved(pointer: string, before?: JsonValue, after?: JsonValue): JsonChange | undefined {
  const [from, to] = [scalarsOf(before), scalarsOf(after)];
  if (from === undefined || to === undefined) return undefined;
  const fresh = new Set(to.filter((key, index) => key !== from[index]));
  const hasMoved = from.some((key, index) => key !== to[index] && fresh.has(key));
  return hasMoved ? { pointer, before: before as JsonValue, after: after as JsonValue } : undefined;
}

/** Returns the elements of a list as JSON texts; `undefined` if an element is not a scalar. */
function scalarsOf(list: JsonValue | undefined): string[] | undefined {
  if (!Array.isArray(list) || list.some((element) => typeof element === "object" && element !== null)) return undefined;
  return list.map((element) => JSON.stringify(element));
}

/** Returns whether only the order of `required` changed, which does not affect which values are valid. */
export function isOtherOrder({ pointer, before, after }: JsonChange): boolean {
  const [from, to] = [scalarsOf(before), scalarsOf(after)];
  if (from === undefined || to?.length !== from.length || keywordAt(pointer)?.keyword !== "required") return false;
  const names = new Set(from);
  return names.size === from.length && names.size === new Set(to).size && to.every((key) => names.has(key));
}
