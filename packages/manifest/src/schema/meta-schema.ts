import { fromPointer, type JsonValue, type PathSegment } from "@agentprint/canonical-json";
import type { ErrorObject, ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isSchema } from "./is-schema.ts";
import { pathOf, type Subschema, walkSchema, withoutSubschemas } from "./walk-schema.ts";

let describing: ValidateFunction | undefined;

/** JSON Schema has seven types: a longer list is wrong, and telling its members apart takes quadratic time. */
const MAX_TYPES = 7;

/** What breaks the Draft 2020-12 meta-schema in a schema, and where; the most specific errors only. */
export function* metaSchemaErrors(schema: { readonly [keyword: string]: JsonValue }): Iterable<SchemaError> {
  if (isSchema(schema)) return;
  describing ??= compile();
  // Each schema alone: over nested ones, the time that ajv takes for all errors is quadratic.
  for (const subschema of walkSchema(schema)) yield* errorsOf(subschema, describing);
}

/** One error and where it is. */
export interface SchemaError {
  readonly path: readonly PathSegment[];
  readonly message: string;
}

function* errorsOf(subschema: Subschema, all: ValidateFunction): Iterable<SchemaError> {
  const { schema, misplaced } = withoutSubschemas(subschema.schema);
  const path = pathOf(subschema);
  for (const at of misplaced) yield { path: [...path, ...at], message: "must be object,boolean" };
  const at = (pointer: string): PathSegment[] => [...path, ...fromPointer(pointer)];
  const { type, ...rest } = schema as { readonly type?: JsonValue };
  const isLong = Array.isArray(type) && type.length > MAX_TYPES;
  if (isLong) yield { path: at("/type"), message: `must NOT have more than ${MAX_TYPES} items` };
  if (all(isLong ? rest : schema)) return;
  const errors = (all.errors ?? []).filter(({ keyword }) => !COMBINING.has(keyword));
  const messages = new Map(errors.map((error) => [error.instancePath, describe(error)]));
  for (const [pointer, message] of messages) yield { path: at(pointer), message };
}

/** Their parts say what is wrong. */
const COMBINING: ReadonlySet<string> = new Set(["anyOf", "if", "$dynamicRef", "$ref", "allOf"]);

function compile(): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, logger: false, strict: false, validateFormats: false });
  return ajv.getSchema("https://json-schema.org/draft/2020-12/schema") as ValidateFunction;
}

function describe({ keyword, message, params }: ErrorObject): string {
  if (keyword === "enum") return `must be one of ${(params["allowedValues"] as unknown[]).join(", ")}`;
  return message ?? keyword;
}
