import { canonicalize } from "@agentprint/canonical-json";
import { CapabilityError, reasonOf } from "./errors.ts";
import { canonicalOptions } from "./hash-options.ts";
import type { SchemaResult, StandardSchema } from "./standard-schema.ts";

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
 * @throws {CapabilityError} `invalid-schema` when it is neither object nor boolean, or cannot be copied.
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
  const copy = copyOf(schema);
  return Object.freeze({
    toJSONSchema: () => copy,
    "~standard": Object.freeze({
      version: 1,
      vendor: "json-schema",
      validate: options.validate ?? refuse,
      jsonSchema: Object.freeze({ input: () => copy, output: () => copy }),
    }),
  });
}

function copyOf(schema: unknown): unknown {
  if (typeof schema === "boolean") return schema;
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    throw new CapabilityError(
      "invalid-schema",
      `jsonSchema: expected a JSON Schema (an object or a boolean), received ${Array.isArray(schema) ? "an array" : String(schema)}`,
    );
  }
  try {
    return JSON.parse(canonicalize(schema, canonicalOptions({})), (_key, value) => Object.freeze(value));
  } catch (cause) {
    throw new CapabilityError("invalid-schema", `jsonSchema: expected JSON, but ${reasonOf(cause)}`, { cause });
  }
}

function refuse(): { issues: { message: string }[] } {
  return { issues: [{ message: "jsonSchema() was given no validate function, so no input can be checked" }] };
}
