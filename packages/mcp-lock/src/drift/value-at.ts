import { type JsonObject, type JsonValue, ownMember } from "@agentprint/canonical-json";

/** The value at the end of a path of member names and indices; `undefined` where there is none. */
export function valueAt(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  let inner: JsonValue | undefined = value;
  for (const segment of path) {
    inner = typeof inner === "object" && inner !== null ? ownMember(inner as JsonObject, segment) : undefined;
  }
  return inner;
}
