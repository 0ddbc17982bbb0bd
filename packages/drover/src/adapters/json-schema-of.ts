import { messageOf } from "../errors.ts";
import { isStandardSchema, opaqueSchema, showSchema } from "../standard-schema.ts";

/**
 * The JSON Schema behind what frameworks take for a schema: an AI SDK schema, the input side of a Standard JSON Schema
 * (zod, ArkType and others), a function that returns one of these, or JSON Schema itself.
 *
 * @throws SpecError `opaque-object` for a schema that does not show its JSON Schema
 */
export async function jsonSchemaOf(schema: unknown, path: string): Promise<unknown> {
  try {
    // A Standard Schema may be a function too: only one that is none returns a schema.
    if (typeof schema === "function" && !isStandardSchema(schema)) return await shownBy(checkReturned(schema()));
    return await shownBy(schema);
  } catch (cause) {
    throw opaqueSchema(path, messageOf(cause), cause);
  }
}

function shownBy(schema: unknown): unknown {
  if (isStandardSchema(schema)) return showSchema(schema).input;
  return typeof schema === "object" && schema !== null && "jsonSchema" in schema ? schema.jsonSchema : schema;
}

function checkReturned(schema: unknown): unknown {
  if ((typeof schema === "object" && schema !== null) || isStandardSchema(schema)) return schema;
  throw new TypeError(`the function must return a schema; it returned ${schema === null ? "null" : typeof schema}`);
}
