import { Validator } from "@cfworker/json-schema";
import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Schema } from "./schemas.ts";

const DRAFTS = ["2020-12", "2019-09"] as const;

function dialectOf(schema: Schema): string {
  return typeof schema === "object" ? String(schema["$schema"] ?? "2020-12") : "2020-12";
}

/** ajv with its own regular expressions and settings: it shares nothing with the package but the schema. */
export function validatorOf(schema: Schema, formats = false): ValidateFunction {
  const dialect = dialectOf(schema);
  const Class = /2020-12/.test(dialect) ? Ajv2020 : /2019-09/.test(dialect) ? Ajv2019 : Ajv;
  const ajv = new Class({ strict: false, validateFormats: formats, logger: false, validateSchema: false });
  return ajv.compile(schema);
}

/** The verdict on which ajv and an interpreting validator agree; `undefined` where they disagree. */
export function judgeOf(schema: Schema): (value: unknown) => boolean | undefined {
  const judges = [() => validatorOf(schema), () => interpreterOf(schema)].map(tolerant);
  return (value) => {
    const [first, second] = judges.map((judge) => judge(value));
    return first === second ? first : undefined;
  };
}

/** Removes formats, because the validator has no option that makes them annotations. */
function interpreterOf(schema: Schema): (value: unknown) => boolean {
  const text = JSON.stringify(schema, (key, member: unknown) => (key === "format" ? undefined : member));
  const copy = JSON.parse(text) as Schema;
  const validator = new Validator(copy, DRAFTS.find((draft) => dialectOf(schema).includes(draft)) ?? "7");
  return (value) => validator.validate(value).valid;
}

/** Both fail at a few schemas and values, each at others. */
function tolerant(make: () => (value: unknown) => boolean): (value: unknown) => boolean | undefined {
  const attempt = <T>(job: () => T): T | undefined => {
    try {
      return job();
    } catch {
      return undefined;
    }
  };
  const validate = attempt(make);
  return (value) => validate && attempt(() => validate(value));
}
