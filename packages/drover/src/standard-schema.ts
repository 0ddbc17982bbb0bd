import { SpecError } from "./errors.ts";

/** A value that carries a schema as Standard Schema has it: an object or a function with `~standard`. */
export interface StandardSchema {
  readonly "~standard": { readonly jsonSchema?: unknown };
}

/** The JSON Schemas of a Standard Schema; the output side only where it differs and can be written. */
export interface ShownSchema {
  readonly input: unknown;
  readonly output?: unknown;
}

const TARGET = { target: "draft-2020-12" } as const;

/** Whether a value, which may be a function, is a Standard Schema. One that was written as JSON counts too. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const standard = (value as { readonly "~standard"?: unknown })["~standard"];
  return typeof standard === "object" && standard !== null;
}

/**
 * The JSON Schemas that a Standard JSON Schema writes of itself (Standard JSON Schema version 1).
 *
 * @throws TypeError where there is no `~standard.jsonSchema`; and whatever the library throws for a schema that has no
 * JSON Schema
 */
export function showSchema(schema: StandardSchema): ShownSchema {
  const standard = schema["~standard"] as { readonly jsonSchema?: { [side: string]: (options: object) => unknown } };
  const { jsonSchema } = standard;
  if (typeof jsonSchema?.["input"] !== "function") throw new TypeError("its ~standard has no jsonSchema.input");
  const input = jsonSchema["input"](TARGET);
  try {
    return { input, output: jsonSchema["output"]?.(TARGET) };
  } catch {
    // What a transformation gives has no JSON Schema; what it takes has one.
    return { input };
  }
}

/** The refusal of a schema whose content would not be hashed. */
export function opaqueSchema(path: string, reason: string, cause: unknown): SpecError {
  const message = `the schema at ${path} does not show its JSON Schema: ${reason}. Pass JSON Schema.`;
  return new SpecError("opaque-object", path, message, { cause });
}
