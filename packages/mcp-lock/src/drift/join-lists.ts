import { fromPointer, type JsonChange, type JsonObject, type JsonValue, toPointer } from "@agentprint/canonical-json";
import { keywordAt } from "@agentprint/tool-pins/judgement";
import { valueAt } from "./value-at.ts";

const ELEMENT = /\/\d+$/;

/** Changes in which a list of distinct scalars whose elements are in another order is one change with the lists before and after. */
export function joinLists(changes: readonly JsonChange[], before: JsonObject, after: JsonObject): JsonChange[] {
  const lists = new Map<string, JsonChange | undefined>();
  const joined = changes.map((change) => {
    if (!ELEMENT.test(change.pointer)) return change;
    const path = fromPointer(change.pointer).slice(0, -1);
    const pointer = toPointer(path);
    if (!lists.has(pointer)) lists.set(pointer, reordered(pointer, valueAt(before, path), valueAt(after, path)));
    return lists.get(pointer) ?? change;
  });
  return [...new Set(joined)];
}

function reordered(pointer: string, before?: JsonValue, after?: JsonValue): JsonChange | undefined {
  const [from, to] = [scalarsOf(before), scalarsOf(after)];
  if (from === undefined || to === undefined) return undefined;
  const [kept, now] = [[...from].filter((key) => to.has(key)), [...to].filter((key) => from.has(key))];
  if (kept.every((key, index) => key === now[index])) return undefined;
  return { pointer, before: before as JsonValue, after: after as JsonValue };
}

/** The elements of a list as JSON texts; `undefined` where one is no scalar, or stands there twice. */
function scalarsOf(list: JsonValue | undefined): Set<string> | undefined {
  if (!Array.isArray(list) || list.some((element) => typeof element === "object" && element !== null)) return undefined;
  const keys = new Set(list.map((element) => JSON.stringify(element)));
  return keys.size === list.length ? keys : undefined;
}

/** Whether a change is one of the order of `required` alone, which no value depends on. */
export function isOtherOrder({ pointer, before, after }: JsonChange): boolean {
  const [from, to] = [scalarsOf(before), scalarsOf(after)];
  if (from === undefined || from.size !== to?.size || keywordAt(pointer)?.keyword !== "required") return false;
  return [...from].every((key) => to.has(key));
}
