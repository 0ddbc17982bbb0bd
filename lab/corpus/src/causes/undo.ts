import {
  fromPointer,
  isJsonObject,
  type JsonChange,
  type JsonObject,
  type JsonValue,
} from "../../../../packages/canonical-json/src/index.ts";

/** Returns a tool with some changes to its schemas applied, the last one first, so that no list index moves. */
export function withChanges(tool: JsonObject, changes: readonly JsonChange[]): JsonObject {
  const copy = structuredClone(tool);
  for (const change of changes.toReversed()) make(copy, change);
  return copy;
}

/** Returns a tool with some changes to its schemas undone. */
export function withoutChanges(tool: JsonObject, changes: readonly JsonChange[]): JsonObject {
  const inverse = changes.map(
    ({ pointer, before, after }): JsonChange => ({
      pointer,
      ...(after !== undefined && { before: after }),
      ...(before !== undefined && { after: before }),
    }),
  );
  return withChanges(tool, inverse);
}

/** Returns a tool with the definitions that its schemas lack and another version's schemas have. */
export function withDefinitionsOf(tool: JsonObject, other: JsonObject): JsonObject {
  const copy = structuredClone(tool) as Record<string, JsonValue>;
  for (const schema of ["inputSchema", "outputSchema"]) {
    for (const keyword of ["$defs", "definitions"]) {
      const [own, others] = [copy[schema], other[schema]].map((each) =>
        isJsonObject(each) ? each[keyword] : undefined,
      );
      if (!isJsonObject(copy[schema]) || !isJsonObject(others)) continue;
      (copy[schema] as Record<string, JsonValue>)[keyword] = { ...others, ...(isJsonObject(own) ? own : {}) };
    }
  }
  return copy;
}

function make(root: JsonObject, { pointer, before, after }: JsonChange): void {
  const path = fromPointer(pointer);
  const last = path.pop() as string;
  let holder: JsonValue | undefined = root;
  for (const name of path) holder = (holder as JsonObject)[name];
  if (Array.isArray(holder)) {
    // Other changes to a list of names or values move its elements, whereas a schema in a list keeps its place.
    const index = before === undefined || typeof before === "object" ? Number(last) : holder.indexOf(before);
    holder.splice(index, before === undefined ? 0 : 1, ...(after === undefined ? [] : [after]));
    return;
  }
  if (after === undefined) delete (holder as Record<string, JsonValue>)[last];
  else (holder as Record<string, JsonValue>)[last] = after;
}
