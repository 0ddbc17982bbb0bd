import { type SchemaWriter, schemaWriter } from "@agentprint/json-schema";
import { requireOption } from "../check-argument.ts";
import { guarded } from "../errors.ts";
import type { SchemaOptions } from "./hash-options.ts";
import type { StandardSchema } from "./standard-schema.ts";
import type { ToolSpec } from "./tool-spec.ts";

/** Returns the writer of a schema's JSON Schema, or `undefined` if the schema has none and so is *opaque*. */
export function jsonSchemaWriter(schema: StandardSchema, options: SchemaOptions): SchemaWriter | undefined {
  requireOption("schemaSource", options.schemaSource, ["to-json-schema", "standard-json-schema"]);
  const standard = options.schemaSource === "standard-json-schema" ? schemaWriter(schema, "input") : undefined;
  return standard ?? schemaWriter(schema, "to-json-schema");
}

/**
 * Returns whether a different schema of the same vendor can share this schema's digest, because this schema can only be
 * hashed as `{ vendor, version }`, or because its JSON Schema leaves out a part that JSON Schema cannot express.
 */
export function isOpaqueSchema(schema: StandardSchema, options: SchemaOptions): boolean {
  return guarded("schema-failed", "a schema", () => !(jsonSchemaWriter(schema, options)?.isWhole() ?? false));
}

/** Returns the sorted names of the tools whose schema is opaque. */
export function opaqueSchemaNames(
  tools: Iterable<Pick<ToolSpec, "name" | "inputSchema">>,
  options: SchemaOptions,
): string[] {
  const names = new Set<string>();
  for (const tool of tools) if (isOpaqueSchema(tool.inputSchema, options)) names.add(tool.name);
  return sortNames(names);
}

/** Sorts names by UTF-16 code units, and removes duplicates. */
export function sortNames(names: Iterable<string>): string[] {
  return [...new Set(names)].sort();
}
