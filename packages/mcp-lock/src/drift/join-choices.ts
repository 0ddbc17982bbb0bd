import { fromPointer, type JsonChange, type JsonObject } from "@agentprint/canonical-json";
import { valueAt } from "./value-at.ts";

const CHOICES: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf"]);
const CHOICE = /\/(?:any|one|all)Of(?:\/|$)/;
/**
 * The number of segments in the pointer to the complete `inputSchema` or `outputSchema`, whose changes are never
 * reported as one.
 */
const SCHEMA_DEPTH = 1;

/**
 * Returns the changes to schemas, with each rewritten list of choices (`anyOf`, `oneOf`, `allOf`) as one change that
 * has the values before and after. Changes to several schemas in the list become one change of the list; if a schema
 * gained or lost the list along with other changes, all of them become one change of that schema.
 */
export function joinChoices(changes: readonly JsonChange[], before: JsonObject, after: JsonObject): JsonChange[] {
  if (!changes.some(({ pointer }) => CHOICE.test(pointer))) return [...changes];
  const paths = changes.map(({ pointer }) => fromPointer(pointer));
  const isJoined = joinedPlaces(changes, paths);
  const joined = new Map<string, JsonChange>();
  for (const [index, change] of changes.entries()) {
    const path = paths[index] ?? [];
    const place = prefixes(change.pointer).findIndex((prefix) => isJoined.has(prefix));
    if (place === -1) {
      joined.set(change.pointer, change);
      continue;
    }
    const pointer = prefixes(change.pointer)[place] ?? "";
    const [from, to] = [before, after].map((side) => valueAt(side, path.slice(0, place + 1)));
    joined.set(pointer, {
      pointer,
      ...(from !== undefined && { before: from }),
      ...(to !== undefined && { after: to }),
    });
  }
  return [...joined.values()];
}

/** Returns the pointers at which several changes become one. */
function joinedPlaces(changes: readonly JsonChange[], paths: readonly (readonly string[])[]): Set<string> {
  const inside = new Map<string, number>();
  const changedItems = new Map<string, Set<string>>();
  const rewritten: string[] = [];
  for (const [index, { pointer, before, after }] of changes.entries()) {
    const path = paths[index] ?? [];
    const above = prefixes(pointer);
    for (const [depth, prefix] of above.entries()) {
      inside.set(prefix, (inside.get(prefix) ?? 0) + 1);
      const item = path[depth + 1];
      if (item === undefined || !CHOICES.has(path[depth] ?? "") || !/^\d+$/.test(item)) continue;
      changedItems.set(prefix, (changedItems.get(prefix) ?? new Set()).add(item));
    }
    const isNewOrGone = before === undefined ? Array.isArray(after) : after === undefined && Array.isArray(before);
    if (isNewOrGone && CHOICES.has(path.at(-1) ?? "") && path.length > SCHEMA_DEPTH + 1)
      rewritten.push(above.at(-2) ?? "");
  }
  return new Set([
    ...[...changedItems].flatMap(([prefix, items]) => (items.size > 1 ? [prefix] : [])),
    ...rewritten.filter((prefix) => (inside.get(prefix) ?? 0) > 1),
  ]);
}

/**
 * Returns the pointers of a value and of the values that contain it, from the outermost to the innermost, without the
 * root.
 */
function prefixes(pointer: string): string[] {
  const segments = pointer.split("/").slice(1);
  return segments.map((_, index) => `/${segments.slice(0, index + 1).join("/")}`);
}
