import { parseCanonical, toPointer } from "@agentprint/canonical-json";
import { messageOf, SpecError } from "./errors.ts";

/** A value that carries a schema as [Standard Schema](https://standardschema.dev) defines it: it has `~standard`. */
export interface StandardSchema {
  readonly "~standard": { readonly jsonSchema?: unknown };
}

/** The JSON Schemas of a Standard Schema; the output side only if the library can write it. */
export interface ShownSchema {
  readonly input: unknown;
  readonly output?: unknown;
}

const TARGET = { target: "draft-2020-12" } as const;

/** Whether a value, which may be a function, is a Standard Schema. One that was written as JSON counts, too. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const standard = (value as { readonly "~standard"?: unknown })["~standard"];
  return typeof standard === "object" && standard !== null;
}

/**
 * The JSON Schemas that a Standard JSON Schema writes of itself (Standard JSON Schema version 1).
 *
 * @throws {@link TypeError} when there is no `~standard.jsonSchema`
 * @throws {@link Error} of the library when the schema has no JSON Schema
 */
export function showSchema(schema: StandardSchema): ShownSchema {
  const standard = schema["~standard"] as { readonly jsonSchema?: { [side: string]: (options: object) => unknown } };
  const { jsonSchema } = standard;
  if (typeof jsonSchema?.["input"] !== "function") throw new TypeError("its ~standard has no jsonSchema.input");
  const input = jsonSchema["input"](TARGET);
  try {
    return { input, output: jsonSchema["output"]?.(TARGET) };
  } catch {
    // The result of a transformation has no JSON Schema, while the input of the transformation has one.
    return { input };
  }
}

/** The error for a schema whose content would not be hashed. */
export function opaqueSchema(path: string, reason: string, cause: unknown): SpecError {
  const message = `the schema at ${path} does not show its JSON Schema: ${reason}. Pass JSON Schema.`;
  return new SpecError("opaque-object", path, message, { cause });
}

/**
 * A copy of a value as `JSON.stringify` reads it, in which each Standard Schema is
 * `{ "~standard": { input, output, json } }`: its JSON Schemas, and the JSON that it writes of itself. The 32-bit hash sees
 * the latter, so a difference that the 32-bit hash sees is a difference of the copy, too.
 *
 * @throws {@link SpecError} `opaque-object` when a schema does not show its JSON Schema
 */
export function showSchemas(value: unknown, key = "", path = ""): unknown {
  if (isStandardSchema(value)) return describe(value, value, key, path);
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return value;
  const { toJSON } = value as { readonly toJSON?: unknown };
  const written: unknown = typeof toJSON === "function" ? toJSON.call(value, key) : value;
  if (isStandardSchema(written)) return describe(written, value, key, path);
  // JSON leaves functions out. A function that a `toJSON` returned has no JSON text either, even if it has a `toJSON`.
  if (typeof written === "function") return undefined;
  if (typeof written !== "object" || written === null) return written;
  if (Array.isArray(written)) {
    return Array.from(written, (element, index) => showSchemas(element, String(index), `${path}/${index}`));
  }
  const entries = Object.entries(written);
  // Two kinds of objects stay as they are, so that the canonicalizer checks them: an object without members, whose content
  // JSON may not see, and a String object, which has its characters as members.
  if (entries.length === 0 || Object.prototype.toString.call(written) === "[object String]") return written;
  return Object.fromEntries(
    entries.map(([name, member]) => [name, showSchemas(member, name, path + toPointer([name]))]),
  );
}

/** @param holder - The schema, or the value whose `toJSON` returned the schema: JSON may write it in another way. */
function describe(schema: StandardSchema, holder: unknown, key: string, path: string): object {
  const json = (parseCanonical(JSON.stringify({ [key]: holder })) as { readonly [key: string]: unknown })[key];
  try {
    return { "~standard": { ...showSchema(schema), json } };
  } catch (cause) {
    throw opaqueSchema(path, messageOf(cause), cause);
  }
}
