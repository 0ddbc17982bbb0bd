import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Schema } from "./schemas.ts";

/** ajv with its own regular expressions and settings: it shares nothing with the package but the schema. */
export function validatorOf(schema: Schema, formats = false): ValidateFunction {
  const dialect = typeof schema === "object" ? String(schema["$schema"] ?? "2020-12") : "2020-12";
  const Class = /2020-12/.test(dialect) ? Ajv2020 : /2019-09/.test(dialect) ? Ajv2019 : Ajv;
  const ajv = new Class({ strict: false, validateFormats: formats, logger: false, validateSchema: false });
  return ajv.compile(schema);
}

/** The validator, or `undefined` for the few schemas that ajv cannot compile or follow. */
export function tryValidatorOf(schema: Schema): ((value: unknown) => boolean | undefined) | undefined {
  try {
    const validate = validatorOf(schema);
    return (value) => {
      try {
        return validate(value);
      } catch {
        return undefined;
      }
    };
  } catch {
    return undefined;
  }
}
