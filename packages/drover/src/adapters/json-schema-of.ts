import { messageOf, SpecError } from "../errors.ts";

interface Schema {
  readonly jsonSchema?: unknown;
  readonly "~standard"?: { readonly jsonSchema?: { input(options: { target: string }): unknown } };
}

/**
 * The JSON Schema behind what frameworks take for a schema: an AI SDK schema, a Standard JSON Schema (zod, ArkType and
 * others), a function that returns one of these, or JSON Schema itself.
 *
 * @throws SpecError `opaque-object` for a schema that does not show its JSON Schema
 */
export async function jsonSchemaOf(schema: unknown, path: string): Promise<unknown> {
  try {
    // A Standard Schema may be a function too: only one that is none returns a schema.
    if (typeof schema === "function" && !("~standard" in schema)) return await shownBy(checkReturned(schema()));
    return await shownBy(schema);
  } catch (cause) {
    const message = `the schema at ${path} does not show its JSON Schema: ${messageOf(cause)}. Pass JSON Schema.`;
    throw new SpecError("opaque-object", path, message, { cause });
  }
}

function shownBy(schema: unknown): unknown {
  if (!isSchema(schema)) return schema;
  const standard = schema["~standard"];
  if (standard === undefined) return "jsonSchema" in schema ? schema.jsonSchema : schema;
  if (standard.jsonSchema === undefined) throw new TypeError("its ~standard has no jsonSchema");
  return standard.jsonSchema.input({ target: "draft-2020-12" });
}

function checkReturned(schema: unknown): Schema {
  if (isSchema(schema)) return schema;
  throw new TypeError(`the function must return a schema; it returned ${schema === null ? "null" : typeof schema}`);
}

function isSchema(value: unknown): value is Schema {
  return (typeof value === "object" && value !== null) || (typeof value === "function" && "~standard" in value);
}
