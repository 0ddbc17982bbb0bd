import { requireOption } from "../check-argument.ts";
import { guarded } from "../errors.ts";
import type { SchemaOptions } from "./hash-options.ts";
import type { StandardSchema } from "./standard-schema.ts";
import type { ToolSpec } from "./tool-spec.ts";

interface JsonSchemaMethods {
  readonly toJSONSchema?: unknown;
  readonly "~standard": { readonly jsonSchema?: { readonly input?: unknown } };
}

/** The function that writes the JSON Schema of a schema, or `undefined` where the schema has none: it is *opaque*. */
export function jsonSchemaWriter(schema: StandardSchema, options: SchemaOptions): (() => unknown) | undefined {
  const methods = schema as StandardSchema & JsonSchemaMethods;
  requireOption("schemaSource", options.schemaSource, ["to-json-schema", "standard-json-schema"]);
  if (options.schemaSource === "standard-json-schema") {
    const source = methods["~standard"].jsonSchema;
    const input = source?.input;
    if (typeof input === "function") return () => input.call(source, { target: "draft-2020-12" });
  }
  const { toJSONSchema } = methods;
  return typeof toJSONSchema === "function" ? () => toJSONSchema.call(schema) : undefined;
}

/** Whether a schema can only be hashed as `{ vendor, version }`, which is the same for every schema of that vendor. */
export function isOpaqueSchema(schema: StandardSchema, options: SchemaOptions): boolean {
  return guarded("schema-failed", "a schema", () => jsonSchemaWriter(schema, options) === undefined);
}

/** Sorted names of the tools whose schema is opaque. */
export function opaqueSchemaNames(
  tools: Iterable<Pick<ToolSpec, "name" | "inputSchema">>,
  options: SchemaOptions,
): string[] {
  const names = new Set<string>();
  for (const tool of tools) if (isOpaqueSchema(tool.inputSchema, options)) names.add(tool.name);
  return sortNames(names);
}

/** Names in the order of UTF-16 code units, each once. */
export function sortNames(names: Iterable<string>): string[] {
  return [...new Set(names)].sort();
}
