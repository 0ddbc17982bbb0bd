import { canonicalize, parseCanonical } from "@agentprint/canonical-json";
import { CapabilityError, type CapabilityErrorCode, type CapabilityErrorDetails, reasonOf } from "./errors.ts";
import { guarded } from "./guarded.ts";
import { canonicalOptions, type SchemaOptions } from "./hash-options.ts";
import { canonicalPartOf } from "./json-schema.ts";
import { requireOption } from "./require.ts";
import type { StandardSchema } from "./standard-schema.ts";
import { warnOpaqueSchema } from "./warn-opaque.ts";

interface JsonSchemaMethods {
  readonly toJSONSchema?: unknown;
  readonly "~standard": { readonly jsonSchema?: { readonly input?: unknown } };
}

/**
 * What of a schema is hashed: its JSON Schema where it can write one, else only `{ vendor, version }`.
 *
 * The JSON Schema is asked for twice. A schema that answers differently, now or than it did before, has no fingerprint.
 *
 * @param schema - A Standard Schema. A plain JSON Schema object is not one: wrap it with `jsonSchema(object)`.
 * @param options - `schemaSource` picks the view, `requireTransparentSchemas` refuses `{ vendor, version }`.
 * @returns A JSON value.
 * @throws {CapabilityError} `invalid-schema`, `schema-failed`, `unstable-schema` or `opaque-schema`.
 * @see Capability hashing, "Schema field (`schemaToHashInput`)"
 * @example
 * ```ts
 * import { jsonSchema, schemaToHashInput } from "@agentprint/agent-capabilities";
 *
 * schemaToHashInput(jsonSchema({ type: "string" })); // { type: "string" }
 * ```
 */
export function schemaToHashInput(schema: StandardSchema, options: SchemaOptions = {}): unknown {
  return toolSchemaToHashInput({ inputSchema: schema }, options);
}

/** A schema, and the tool that errors name, if it is of one. */
interface SchemaOwner {
  readonly name?: string | undefined;
  readonly inputSchema: StandardSchema;
}

/** {@link schemaToHashInput} of a tool's schema. */
export function toolSchemaToHashInput(owner: SchemaOwner, options: SchemaOptions): unknown {
  return guarded("schema-failed", schemaOf(owner.name), () => hashInputOf(owner, options), { toolName: owner.name });
}

function hashInputOf(owner: SchemaOwner, options: SchemaOptions): unknown {
  const { inputSchema: schema, name } = owner;
  assertSchema(schema, name);
  const read = jsonSchemaReader(schema, options);
  if (read === undefined) {
    if (options.requireTransparentSchemas) {
      throw schemaError(
        "opaque-schema",
        owner,
        'expected a schema that can write its JSON Schema, received one that would be hashed as its vendor alone: upgrade the library, use schemaSource "standard-json-schema", or wrap its JSON Schema with jsonSchema(object)',
      );
    }
    const { vendor, version } = schema["~standard"];
    if (!replayed.has(schema)) warnOpaqueSchema(vendor, name);
    return { vendor, version };
  }
  const first = call(read, owner);
  const second = call(read, owner);
  // A wrapper of jsonSchema() always answers the same frozen object.
  if (first === second && canonicalPartOf(first) !== first) return first;
  const text = textOf(first, owner);
  const again = first === second ? text : textOf(second, owner);
  if (again !== text || !isFirstAnswer(schema, options, text)) {
    throw schemaError(
      "unstable-schema",
      owner,
      "expected the same JSON Schema from every call, received two different ones: a fingerprint must be stable",
    );
  }
  // A copy: what was answered can change, or have getters that answer otherwise when they are read again.
  return parseCanonical(text, canonicalOptions({}));
}

/** For each schema and source the first answer. */
const firstAnswers = new WeakMap<object, Map<string, string>>();

/** Whether a schema answers what it answered first, however long ago. */
function isFirstAnswer(
  schema: StandardSchema,
  { schemaSource = "to-json-schema" }: SchemaOptions,
  text: string,
): boolean {
  const answers = firstAnswers.get(schema) ?? new Map<string, string>();
  const first = answers.get(schemaSource);
  if (first !== undefined) return first === text;
  firstAnswers.set(schema, answers.set(schemaSource, text));
  return true;
}

/** Whether a schema can only be hashed as `{ vendor, version }`, which is the same for every schema of that vendor. */
export function isOpaqueSchema(schema: StandardSchema, options: SchemaOptions): boolean {
  return guarded("schema-failed", schemaOf(undefined), () => jsonSchemaReader(schema, options) === undefined);
}

/** Schemas of tools that came over the wire: whoever wrote them was warned. */
const replayed = new WeakSet<object>();

/** The schema of a tool that was written as vendor and version alone: it stays opaque. */
export function replayedSchema(standard: StandardSchema["~standard"]): StandardSchema {
  const schema: StandardSchema = Object.freeze({ "~standard": Object.freeze(standard) });
  replayed.add(schema);
  return schema;
}

/** Refuses what is not a Standard Schema. */
export function assertSchema(schema: unknown, toolName: string | undefined): asserts schema is StandardSchema {
  guarded("invalid-schema", schemaOf(toolName), () => requireSchema(schema, toolName), { toolName });
}

function schemaOf(toolName: string | undefined): string {
  return toolName === undefined ? "a schema" : `tool "${toolName}": its schema`;
}

function requireSchema(schema: unknown, toolName: string | undefined): void {
  const carries = (typeof schema === "object" && schema !== null) || typeof schema === "function";
  const standard: unknown = carries ? Reflect.get(schema, "~standard") : undefined;
  if (typeof standard === "object" && standard !== null) {
    const { vendor, version } = standard as Record<string, unknown>;
    if (typeof vendor === "string" && typeof version === "number") return;
  }
  throw new CapabilityError(
    "invalid-schema",
    `${prefixOf(toolName)}inputSchema: expected a Standard Schema (an object with "~standard"), received ${
      carries ? "an object without a usable one; wrap a plain JSON Schema with jsonSchema(object)" : String(schema)
    }`,
    { toolName },
  );
}

function jsonSchemaReader(schema: StandardSchema, options: SchemaOptions): (() => unknown) | undefined {
  const methods = schema as StandardSchema & JsonSchemaMethods;
  requireOption("schemaSource", options.schemaSource, ["to-json-schema", "standard-json-schema"]);
  if (options.schemaSource === "standard-json-schema") {
    const source = methods["~standard"].jsonSchema;
    const input = source?.input;
    if (typeof input === "function") return () => input.call(source, { target: "draft-2020-12" });
  }
  const { toJSONSchema } = methods;
  return typeof toJSONSchema === "function" ? () => toJSONSchema.call(schema) : undefined;
}

function call(read: () => unknown, owner: SchemaOwner): unknown {
  let value: unknown;
  try {
    value = read();
  } catch (cause) {
    throw schemaFailed(owner, reasonOf(cause), { cause });
  }
  const isObject = typeof value === "object" && value !== null && !(value instanceof Promise) && !Array.isArray(value);
  if (isObject || typeof value === "boolean") return value;
  throw schemaFailed(owner, `it answered ${shownKind(value)}`);
}

function shownKind(value: unknown): string {
  if (value instanceof Promise) return "a Promise";
  return Array.isArray(value) ? "an array" : String(value);
}

function textOf(value: unknown, owner: SchemaOwner): string {
  try {
    return canonicalize(value, canonicalOptions({}));
  } catch (cause) {
    throw schemaFailed(owner, reasonOf(cause), { cause });
  }
}

function schemaFailed(owner: SchemaOwner, reason: string, details: CapabilityErrorDetails = {}): CapabilityError {
  return schemaError("schema-failed", owner, `expected a JSON Schema (an object or a boolean), but ${reason}`, details);
}

function schemaError(
  code: CapabilityErrorCode,
  { name, inputSchema }: SchemaOwner,
  problem: string,
  details: CapabilityErrorDetails = {},
): CapabilityError {
  const { vendor } = inputSchema["~standard"];
  return new CapabilityError(code, `${prefixOf(name)}${vendor} schema: ${problem}`, { ...details, toolName: name });
}

function prefixOf(toolName: string | undefined): string {
  return toolName === undefined ? "" : `tool "${toolName}": `;
}
