import {
  fromPointer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  setOwnMember,
} from "@agentprint/canonical-json/json-value";
import { pairElements } from "@agentprint/json-schema";

/**
 * The edits at a place and below it: the position of the edit at this place, or the places below it by name or index.
 */
interface EditTree {
  edit?: number;
  readonly below: Map<string, EditTree>;
}

/** Two versions of a schema, and the edits that lead from one to the other. */
export class SchemaMixer {
  readonly #before: JsonValue;
  readonly #after: JsonValue;
  readonly #tree: EditTree = { below: new Map() };

  /** @param pointers The RFC 6901 JSON Pointers of the edits that `diffJson` finds with `pairElements`. */
  constructor(before: JsonValue, after: JsonValue, pointers: readonly string[]) {
    this.#before = before;
    this.#after = after;
    for (const [edit, pointer] of pointers.entries()) {
      let tree = this.#tree;
      for (const segment of fromPointer(pointer)) {
        const below: EditTree = tree.below.get(segment) ?? { below: new Map() };
        tree.below.set(segment, below);
        tree = below;
      }
      tree.edit = edit;
    }
  }

  /** Returns the old schema with some of the edits, which are given by their positions in the list of pointers. */
  mix(taken: ReadonlySet<number>): JsonValue {
    return mixAt(this.#before, this.#after, this.#tree, taken) as JsonValue;
  }
}

function mixAt(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  { edit, below }: EditTree,
  taken: ReadonlySet<number>,
): JsonValue | undefined {
  if (edit !== undefined) return taken.has(edit) ? after : before;
  if (Array.isArray(before) && Array.isArray(after)) return mixLists(before, after, below, taken);
  return isJsonObject(before) && isJsonObject(after) ? mixObjects(before, after, below, taken) : before;
}

function mixObjects(
  before: JsonObject,
  after: JsonObject,
  below: EditTree["below"],
  taken: ReadonlySet<number>,
): JsonObject {
  const mixed: Record<string, JsonValue> = {};
  for (const name of new Set([...Object.keys(before), ...below.keys()])) {
    const tree = below.get(name);
    const member = ownMember(before, name);
    const value = tree ? mixAt(member, ownMember(after, name), tree, taken) : member;
    if (value !== undefined) setOwnMember(mixed, name, value);
  }
  return mixed;
}

/**
 * Mixes two lists. Elements that only one list has are placed between the common elements, in the order of both lists;
 * an element that replaces another goes to its place in the new list, which may be next to other common elements.
 */
function mixLists(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  below: EditTree["below"],
  taken: ReadonlySet<number>,
): JsonValue[] {
  const pairs = pairElements(before, after);
  const removed = new Map(pairs.flatMap((pair) => (pair.before === undefined ? [] : [[pair.index, pair]])));
  const added = new Map(pairs.flatMap((pair) => (pair.after === undefined ? [] : [[pair.index, pair]])));
  const mixed: JsonValue[] = [];
  for (let i = 0, j = 0; i < before.length || j < after.length; ) {
    const [old, next] = [removed.get(i), added.get(j)];
    const pair = old ?? next;
    if (pair === undefined) {
      mixed.push(before[i] as JsonValue);
      i++;
      j++;
      continue;
    }
    const tree = below.get(String(pair.index));
    const [from, to] = [old?.before, pair === next ? next.after : undefined];
    const value = tree ? mixAt(from, to, tree, taken) : from;
    if (value !== undefined) mixed.push(value);
    if (pair === old) i++;
    if (pair === next) j++;
  }
  return mixed;
}
