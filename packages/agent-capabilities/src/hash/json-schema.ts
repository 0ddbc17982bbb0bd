import {
  type CanonicalPart,
  canonicalize,
  deepFreeze,
  isObject,
  type JsonValue,
  parseCanonical,
  precanonicalize,
} from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import { CapabilityError, guarded, reasonOf } from "../errors.ts";
import { canonicalOptions } from "./hash-options.ts";
import { isStandardSchema, type StandardSchema, type Validate } from "./standard-schema.ts";

const OPTIONS = canonicalOptions({});

/** The canonical text of each frozen JSON Schema that a wrapper holds, so that hashing does not write it again. */
const parts = new WeakMap<object, CanonicalPart>();

/** The JSON Schema that each wrapper holds. */
const held = new WeakMap<object, JsonValue>();

/** Returns the JSON Schema of a schema that {@link jsonSchema} made, or `undefined` for any other schema. It is frozen. */
export function heldJsonSchema(schema: StandardSchema): JsonValue | undefined {
  return held.get(schema);
}

/**
 * Returns the kept canonical text of a wrapper's JSON Schema, to be hashed in its place; returns any other value
 * unchanged.
 */
export function canonicalPartOf(schema: unknown): unknown {
  return (typeof schema === "object" && schema !== null && parts.get(schema)) || schema;
}

/** A Standard Schema that holds a JSON Schema unchanged. */
export interface JsonSchemaWrapper<Value = unknown> extends StandardSchema<Value> {
  readonly toJSONSchema: () => unknown;
}

/** Options of {@link jsonSchema}. */
export interface JsonSchemaOptions<Value> {
  /**
   * Validates an input, with a JSON Schema validator of your choice. Without `validate` the tool can be hashed but not run.
   */
  readonly validate?: Validate<Value> | undefined;
}

/**
 * Wraps a plain JSON Schema (from an MCP tool or TypeBox) in a Standard Schema that is hashed in full.
 *
 * @param schema - The JSON Schema, an object or a boolean. It is copied, so later changes do not reach the wrapper.
 * @param options - `validate`, which an executable tool needs.
 * @returns A Standard Schema with `toJSONSchema()`, and with `~standard.jsonSchema` for libraries that read that member.
 * @throws {@link CapabilityError} `invalid-schema` when `schema` is neither object nor boolean, is not JSON, or is a
 * library's schema
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
  checkArgument("options", options, "object");
  const text = guarded("invalid-schema", "jsonSchema: the schema", () => textOf(schema));
  const copy = deepFreeze(parseCanonical(text, OPTIONS));
  checkForm(copy); // A toJSON can write anything.
  if (typeof copy === "object") parts.set(copy as object, precanonicalize(copy, OPTIONS));
  // Libraries that read `~standard.jsonSchema` add `additionalProperties` in place, so each call returns a new object.
  const fresh = (): unknown => parseCanonical(text, OPTIONS);
  const wrapper = Object.freeze({
    toJSONSchema: () => copy,
    "~standard": Object.freeze({
      version: 1,
      vendor: "json-schema",
      validate: options.validate ?? refuse,
      jsonSchema: Object.freeze({ input: fresh, output: fresh }),
    }),
  });
  held.set(wrapper, copy);
  return wrapper;
}

function textOf(schema: unknown): string {
  if (isStandardSchema(schema)) {
    throw new CapabilityError(
      "invalid-schema",
      `jsonSchema: expected a JSON Schema, received a ${schema["~standard"].vendor} schema: pass it unchanged, or pass its JSON Schema`,
    );
  }
  checkForm(schema);
  try {
    return canonicalize(schema, OPTIONS);
  } catch (cause) {
    throw new CapabilityError("invalid-schema", `jsonSchema: expected JSON, but ${reasonOf(cause)}`, { cause });
  }
}

function checkForm(schema: unknown): void {
  if (typeof schema === "boolean" || isObject(schema)) return;
  const received = Array.isArray(schema) ? "an array" : String(schema);
  throw new CapabilityError(
    "invalid-schema",
    `jsonSchema: expected a JSON Schema (an object or a boolean), received ${received}`,
  );
}

function refuse(): { issues: { message: string }[] } {
  return { issues: [{ message: "jsonSchema() received no validate function, so no input can be checked" }] };
}
