import type { JsonObject } from "@agentprint/canonical-json";
import { entryShape, lockShape } from "./lock-shapes.ts";
import { list } from "./shape.ts";

/**
 * Returns the JSON Schema of a lock file (in draft-07, which is usual on SchemaStore). It accepts every file whose
 * members have the form that `parseLock` requires; `parseLock` also recomputes the digests and refuses names that occur
 * twice.
 *
 * @example
 * ```ts
 * import { lockJsonSchema } from "@agentprint/mcp-lock";
 *
 * console.log(lockJsonSchema()["title"]); // agentprint.lock
 * ```
 */
export function lockJsonSchema(): JsonObject {
  const { properties, ...file } = lockShape.schema as JsonObject & { readonly properties: JsonObject };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "https://json.schemastore.org/agentprint.lock.json",
    title: "agentprint.lock",
    description: "The state of MCP servers when they were pinned. The agentprint command writes it.",
    ...file,
    properties: { ...properties, servers: list(entryShape).schema },
  };
}
