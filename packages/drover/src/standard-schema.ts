import { isPlainObject, type JsonObject } from "@agentprint/canonical-json";
import { type LibrarySchema, schemaWriter, type WrittenSchema } from "@agentprint/json-schema";
import { messageOf, SpecError } from "./errors.ts";

/** The JSON Schemas of a Standard Schema; the output side only if the library can write it. */
export interface ShownSchema {
  readonly input: JsonObject | boolean;
  readonly output?: JsonObject | boolean;
}

/**
 * Returns whether a value, which may be a function, is a library's schema: it has `~standard` as [Standard
 * Schema](https://standardschema.dev) defines it. A schema that was written as JSON counts, too.
 */
export function isStandardSchema(value: unknown): value is LibrarySchema {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const standard = (value as { readonly "~standard"?: unknown })["~standard"];
  return typeof standard === "object" && standard !== null;
}

/**
 * Returns whether a schema is JSON Schema that remembers its original schema, like the one that zod's functions return:
 * a plain object that hides its `~standard`. Its own members reach a model, and a program may have changed them.
 */
export function isRememberingJsonSchema(schema: LibrarySchema): boolean {
  return isPlainObject(schema) && !Object.keys(schema).includes("~standard");
}

/**
 * Returns the JSON Schemas that a Standard JSON Schema (version 1) gives for itself.
 *
 * @param path - RFC 6901 JSON Pointer to the schema.
 * @throws {@link SpecError} `opaque-object` when the schema does not give the JSON Schema of its input
 * @throws {@link SpecError} `unstable-schema` when the schema gives two different JSON Schemas
 */
export function showSchema(schema: LibrarySchema, path: string): ShownSchema {
  const input = ask(schema, "input");
  if (input.type === "failed") throw opaqueSchema(path, input.cause);
  const output = ask(schema, "output");
  // The input is read again, because a schema whose ~standard changed in between would have no output or another
  // schema's output.
  const again = ask(schema, "input");
  if (input.type === "unstable" || output.type === "unstable" || again.type !== "written") {
    const reason = "returns a different JSON Schema each time, like a schema whose default a function creates";
    const message = `the schema at ${path} ${reason}. Make the schema give the same JSON Schema each time.`;
    throw new SpecError("unstable-schema", path, message);
  }
  // The result of a transformation has no JSON Schema, but its input has one.
  return output.type === "failed" ? { input: input.schema } : { input: input.schema, output: output.schema };
}

/**
 * Returns the JSON Schema of the values that a schema accepts. It remembers both sides, as zod's does, because JSON
 * contains only one and a fingerprint covers both.
 *
 * @throws {@link SpecError} the codes of {@link showSchema}
 */
export function toJsonSchema(schema: LibrarySchema, path: string): JsonObject | boolean {
  const { input, output } = showSchema(schema, path);
  if (typeof input === "boolean") return input;
  const jsonSchema = { input: () => input, ...(output === undefined ? {} : { output: () => output }) };
  return Object.defineProperty({ ...input }, "~standard", { value: { version: 1, vendor: "json-schema", jsonSchema } });
}

function ask(schema: LibrarySchema, side: "input" | "output"): WrittenSchema {
  try {
    const writer = schemaWriter(schema, side);
    return writer?.write() ?? { type: "failed", cause: new TypeError(`its ~standard has no jsonSchema.${side}`) };
  } catch (cause) {
    return { type: "failed", cause };
  }
}

/** Returns the error for a schema whose content would not be hashed. */
export function opaqueSchema(path: string, cause: unknown): SpecError {
  const message = `the schema at ${path} does not show its JSON Schema: ${messageOf(cause)}. Pass JSON Schema.`;
  return new SpecError("opaque-object", path, message, { cause });
}
