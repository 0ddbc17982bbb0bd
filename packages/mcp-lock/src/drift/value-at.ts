import { type JsonObject, type JsonValue, ownMember } from "@agentprint/canonical-json";

/** Returns the value at a path of member names and indices, or `undefined` if the path leads to no value. */
export function valueAt(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  let inner: JsonValue | undefined = value;
  for (const segment of path) {
    inner = typeof inner === "object" && inner !== null ? ownMember(inner as JsonObject, segment) : undefined;
  }
  return inner;
}
