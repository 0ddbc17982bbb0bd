import {
  type CanonicalPart,
  canonicalize,
  deepFreeze,
  parseCanonical,
  precanonicalize,
} from "@agentprint/canonical-json";
import { CapabilityError, reasonOf } from "./errors.ts";
import { guarded } from "./guarded.ts";
import { canonicalOptions } from "./hash-options.ts";
import { isStandardSchema, type SchemaResult, type StandardSchema } from "./standard-schema.ts";

const OPTIONS = canonicalOptions({});

/** The frozen JSON Schemas of all wrappers, with their canonical text. */
const parts = new WeakMap<object, CanonicalPart>();

/** What of a JSON Schema is to be hashed: its text, where a wrapper of this module has frozen it. */
export function canonicalPartOf(schema: unknown): unknown {
  return (typeof schema === "object" && schema !== null && parts.get(schema)) || schema;
}

/** A Standard Schema that carries a JSON Schema as it is. */
export interface JsonSchemaWrapper<Value = unknown> extends StandardSchema<Value> {
  readonly toJSONSchema: () => unknown;
}

/** Options of {@link jsonSchema}. */
export interface JsonSchemaOptions<Value> {
  /**
   * Checks an input, with a JSON Schema validator of your choice. Without it the tool can be hashed but refuses to run.
   */
  readonly validate?: ((value: unknown) => SchemaResult<Value> | Promise<SchemaResult<Value>>) | undefined;
}

/**
 * Wraps a plain JSON Schema (of an MCP tool, of TypeBox) into a Standard Schema that is hashed in full.
 *
 * @param schema - The JSON Schema, an object or a boolean. It is copied: later changes do not reach the wrapper.
 * @param options - `validate`, which an executable tool needs.
 * @returns A Standard Schema with `toJSONSchema()`, and with `~standard.jsonSchema` for libraries that look there.
 * @throws {CapabilityError} `invalid-schema` when it is neither object nor boolean, not JSON, or a schema of a library.
 * @example
 * ```ts
 * import { jsonSchema, tool } from "@agentprint/agent-capabilities";
 *
 * const search = tool({
 *   name: "search",
 *   inputSchema: jsonSchema({ type: "object", properties: { query: { type: "string" } } }),
 *   handler: () => [],
 * });
 * search.staticHash.length; // 64
 * ```
 */
export function jsonSchema<Value = unknown>(
  schema: object | boolean,
  options: JsonSchemaOptions<Value> = {},
): JsonSchemaWrapper<Value> {
  const text = guarded("invalid-schema", "jsonSchema: the schema", () => textOf(schema));
  const copy = deepFreeze(parseCanonical(text, OPTIONS));
  if (typeof copy === "object") parts.set(copy as object, precanonicalize(copy, OPTIONS));
  // Libraries that look there close objects in place, so each call gets its own.
  const fresh = (): unknown => parseCanonical(text, OPTIONS);
  return Object.freeze({
    toJSONSchema: () => copy,
    "~standard": Object.freeze({
      version: 1,
      vendor: "json-schema",
      validate: options.validate ?? refuse,
      jsonSchema: Object.freeze({ input: fresh, output: fresh }),
    }),
  });
}

function textOf(schema: unknown): string {
  if (isStandardSchema(schema)) {
    throw new CapabilityError(
      "invalid-schema",
      `jsonSchema: expected a JSON Schema, received a ${schema["~standard"].vendor} schema: give it as it is, or its JSON Schema`,
    );
  }
  if (typeof schema !== "boolean" && (typeof schema !== "object" || schema === null || Array.isArray(schema))) {
    throw new CapabilityError(
      "invalid-schema",
      `jsonSchema: expected a JSON Schema (an object or a boolean), received ${Array.isArray(schema) ? "an array" : String(schema)}`,
    );
  }
  try {
    return canonicalize(schema, OPTIONS);
  } catch (cause) {
    throw new CapabilityError("invalid-schema", `jsonSchema: expected JSON, but ${reasonOf(cause)}`, { cause });
  }
}

function refuse(): { issues: { message: string }[] } {
  return { issues: [{ message: "jsonSchema() was given no validate function, so no input can be checked" }] };
}
