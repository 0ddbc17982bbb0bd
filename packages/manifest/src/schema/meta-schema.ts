import type { JsonValue, PathSegment } from "@agentprint/canonical-json";
import type { ErrorObject, ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type Subschema, walkSchema, withoutSubschemas } from "./walk-schema.ts";

let compiled: Compiled | undefined;

/** JSON Schema has seven types: a longer list is wrong, and telling its members apart takes quadratic time. */
const MAX_TYPES = 7;

/** What breaks the Draft 2020-12 meta-schema in a schema, and where; the most specific errors only. */
export function metaSchemaErrors(schema: { readonly [keyword: string]: JsonValue }): SchemaError[] {
  compiled ??= compile();
  if (isShortTyped(schema) && compiled.first(schema)) return [];
  // Each schema alone: over nested ones, the time that ajv takes for all errors is quadratic.
  return walkSchema(schema).flatMap((subschema) => errorsOf(subschema, compiled as Compiled));
}

/** One error and where it is. */
export interface SchemaError {
  readonly path: readonly PathSegment[];
  readonly message: string;
}

interface Compiled {
  readonly first: ValidateFunction;
  readonly all: ValidateFunction;
}

function isShortTyped(schema: { readonly [keyword: string]: JsonValue }): boolean {
  return walkSchema(schema).every(({ schema: { type } }) => !Array.isArray(type) || type.length <= MAX_TYPES);
}

function errorsOf(subschema: Subschema, { all }: Compiled): SchemaError[] {
  const { schema, misplaced } = withoutSubschemas(subschema);
  const found: SchemaError[] = misplaced.map((path) => ({ path, message: "must be object,boolean" }));
  const at = (pointer: string): PathSegment[] => [...subschema.path, ...segmentsOf(pointer)];
  const { type, ...rest } = schema as { readonly type?: JsonValue };
  const isLong = Array.isArray(type) && type.length > MAX_TYPES;
  if (isLong) found.push({ path: at("/type"), message: `must NOT have more than ${MAX_TYPES} items` });
  if (all(isLong ? rest : schema)) return found;
  const errors = (all.errors ?? []).filter(({ keyword }) => !COMBINING.has(keyword));
  const messages = new Map(errors.map((error) => [error.instancePath, describe(error)]));
  return [...found, ...[...messages].map(([pointer, message]) => ({ path: at(pointer), message }))];
}

/** The segments of a JSON Pointer; indexes stay text, a pointer made of them again is the same. */
function segmentsOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Their parts say what is wrong. */
const COMBINING: ReadonlySet<string> = new Set(["anyOf", "if", "$dynamicRef", "$ref", "allOf"]);

function compile(): Compiled {
  const [first, all] = [false, true].map((allErrors) => {
    const ajv = new Ajv2020({ allErrors, logger: false, strict: false, validateFormats: false });
    return ajv.getSchema("https://json-schema.org/draft/2020-12/schema");
  }) as [ValidateFunction, ValidateFunction];
  return { first, all };
}

function describe({ keyword, message, params }: ErrorObject): string {
  if (keyword === "enum") return `must be one of ${(params["allowedValues"] as unknown[]).join(", ")}`;
  return message ?? keyword;
}
