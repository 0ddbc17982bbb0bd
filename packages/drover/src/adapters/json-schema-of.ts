import { SpecError } from "../errors.ts";
import { isStandardSchema, opaqueSchema, toJsonSchema } from "../standard-schema.ts";

/**
 * Returns the JSON Schema of a schema in any form that frameworks accept: an AI SDK schema, a Standard JSON Schema
 * (zod, ArkType and others), a function that returns one of these, or JSON Schema itself.
 *
 * @throws {@link SpecError} `opaque-object` when a schema does not expose its JSON Schema
 * @throws {@link SpecError} `unstable-schema` when a schema gave two different JSON Schemas
 */
export async function jsonSchemaOf(schema: unknown, path: string): Promise<unknown> {
  try {
    // A Standard Schema may also be a function. Any other function is called, because it must return a schema.
    if (typeof schema === "function" && !isStandardSchema(schema)) return await shownBy(checkReturned(schema()), path);
    return await shownBy(schema, path);
  } catch (cause) {
    throw cause instanceof SpecError ? cause : opaqueSchema(path, cause);
  }
}

function shownBy(schema: unknown, path: string): unknown {
  if (isStandardSchema(schema)) return toJsonSchema(schema, path);
  return typeof schema === "object" && schema !== null && "jsonSchema" in schema ? schema.jsonSchema : schema;
}

function checkReturned(schema: unknown): unknown {
  if ((typeof schema === "object" && schema !== null) || isStandardSchema(schema)) return schema;
  throw new TypeError(`the function must return a schema; it returned ${schema === null ? "null" : typeof schema}`);
}
