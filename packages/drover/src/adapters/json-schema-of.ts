import { SpecError } from "../errors.ts";

interface StandardJsonSchema {
  readonly "~standard"?: { readonly jsonSchema?: { input(options: { target: string }): unknown } };
}

/**
 * The JSON Schema behind what frameworks take for a schema: an AI SDK schema, a Standard JSON Schema (zod and others),
 * a function that returns one, or JSON Schema itself.
 *
 * @throws SpecError `opaque-object` for a schema that does not show its JSON Schema
 */
export async function jsonSchemaOf(schema: unknown, path: string): Promise<unknown> {
  if (typeof schema === "function") return jsonSchemaOf(schema(), path);
  if (typeof schema !== "object" || schema === null) return schema;
  if ("jsonSchema" in schema) return schema.jsonSchema;
  const standard = (schema as StandardJsonSchema)["~standard"];
  if (standard === undefined) return schema;
  if (standard.jsonSchema !== undefined) return standard.jsonSchema.input({ target: "draft-2020-12" });
  throw new SpecError("opaque-object", path, `the schema at ${path} does not show its JSON Schema: pass JSON Schema`);
}
