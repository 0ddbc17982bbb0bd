import { type OpeningKind, placeAbove, type SchemaVerdict, type ToolChange } from "@agentprint/tool-pins/judgement";
import { groupEntries } from "../group-entries.ts";

type Openings = Map<string, Set<OpeningKind>>;

/** Returns the kinds of values that an input newly accepts through each change, by the change's pointer. */
export function openingsAt(changes: readonly ToolChange[], schemas: readonly SchemaVerdict[]): Openings {
  const found = schemas.flatMap(({ schema, openings = [] }) =>
    openings.map(({ kind, pointer }) => ({ kind, pointer: `/${schema}${pointer}` })),
  );
  const ofChanges: Openings = new Map();
  if (found.length === 0) return ofChanges;
  const contract = changes.filter(({ layer }) => layer === "contract").map(({ pointer }) => pointer);
  const add = (pointer: string, kind: OpeningKind) =>
    ofChanges.set(pointer, (ofChanges.get(pointer) ?? new Set()).add(kind));
  const [changed, places] = [new Set(contract), new Set(found.map(({ pointer }) => pointer))];
  const within = new Map(contract.map((pointer) => [placeAbove(pointer, places), pointer] as const));
  // A reference can lead to a place other than the changed one.
  const [first = ""] = contract;
  const values = valuesByList(changes);
  for (const { kind, pointer } of found) {
    const fallback = () => placeAbove(pointer, changed) ?? within.get(pointer) ?? first;
    for (const place of values.get(pointer) ?? [fallback()]) add(place, kind);
  }
  return ofChanges;
}

/**
 * Returns the pointers of the new values in each list of values, by the list's pointer; each of these values is newly
 * accepted.
 */
function valuesByList(changes: readonly ToolChange[]): ReadonlyMap<string, readonly string[]> {
  return groupEntries(
    changes.flatMap(({ layer, pointer, after }): [string, string][] => {
      const list = /^(.*\/enum)\/\d+$/s.exec(pointer)?.[1];
      return list !== undefined && layer === "contract" && after !== undefined ? [[list, pointer]] : [];
    }),
  );
}
