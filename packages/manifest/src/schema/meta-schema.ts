import type { ErrorObject, ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";

let compiled: ValidateFunction | undefined;

/** Where a schema breaks the Draft 2020-12 meta-schema; the most specific errors only. */
export function metaSchemaErrors(schema: unknown): { pointer: string; message: string }[] {
  compiled ??= compile();
  if (compiled(schema)) return [];
  const errors = (compiled.errors ?? []).filter(({ keyword }) => !COMBINING.has(keyword));
  return [...new Map(errors.map((error) => [error.instancePath, describe(error)])).entries()].map(
    ([pointer, message]) => ({ pointer, message }),
  );
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
