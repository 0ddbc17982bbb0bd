import type { SchemaWriter } from "@agentprint/json-schema";
import { checkArgument } from "../check-argument.ts";
import {
  CapabilityError,
  type CapabilityErrorCode,
  type CapabilityErrorDetails,
  guarded,
  reasonOf,
} from "../errors.ts";
import type { SchemaOptions } from "./hash-options.ts";
import { heldJsonSchema } from "./json-schema.ts";
import { jsonSchemaWriter } from "./opaque-schemas.ts";
import { assertSchema, prefixOf, type StandardSchema, schemaOf } from "./standard-schema.ts";
import { warnOpaqueSchema } from "./warn-opaque-schema.ts";

/**
 * Returns the part of a schema that is hashed: its JSON Schema if the schema can write one, otherwise only
 * `{ vendor, version }`.
 *
 * Refuses a value that is not a Standard Schema, such as `null`, a plain JSON Schema, a TypeBox schema or a different
 * kind of validator; a schema whose method throws or returns a promise, an array, `null`, or anything else that is
 * neither an object nor a boolean; a schema that writes a value without canonical JSON: a cycle, a bigint, a `Map` or
 * another object whose content JSON cannot see; and, with `requireTransparentSchemas`, a schema that would share its
 * digest with others. The JSON Schema is requested twice: a schema whose results differ, such as zod's `.default(() =>
 * Math.random())`, has no fingerprint.
 *
 * @param schema - A Standard Schema. A plain JSON Schema object is not one: wrap it with `jsonSchema(object)`.
 * @param options - `schemaSource` picks the JSON Schema, `requireTransparentSchemas` refuses `{ vendor, version }`.
 * @returns A JSON value.
 * @throws {@link CapabilityError} `invalid-schema` when `schema` is not a Standard Schema
 * @throws {@link CapabilityError} `schema-failed` when the schema throws, or writes something that is not JSON Schema
 * @throws {@link CapabilityError} `unstable-schema` when the schema gives two different results
 * @throws {@link CapabilityError} `opaque-schema` when `requireTransparentSchemas` is set and there is no JSON Schema
 * @see Capability hashing, "Schema field (`schemaToHashInput`)"
 * @example
 * ```ts
 * import { jsonSchema, schemaToHashInput } from "@agentprint/agent-capabilities";
 *
 * schemaToHashInput(jsonSchema({ type: "string" })); // { type: "string" }
 * ```
 */
export function schemaToHashInput(schema: StandardSchema, options: SchemaOptions = {}): unknown {
  checkArgument("options", options, "object");
  return toolSchemaToHashInput({ inputSchema: schema }, options);
}

/** A schema, and the name of the tool that it belongs to, for messages. */
interface SchemaOwner {
  readonly name?: string | undefined;
  readonly inputSchema: StandardSchema;
}

/** Returns the result of {@link schemaToHashInput} for a tool's schema. */
export function toolSchemaToHashInput(owner: SchemaOwner, options: SchemaOptions): unknown {
  return guarded("schema-failed", schemaOf(owner.name), () => hashInputOf(owner, options), { toolName: owner.name });
}

function hashInputOf(owner: SchemaOwner, options: SchemaOptions): unknown {
  const { inputSchema: schema, name } = owner;
  assertSchema(schema, name);
  const held = heldJsonSchema(schema);
  if (held !== undefined) return held;
  const writer = jsonSchemaWriter(schema, options);
  if (writer === undefined) return opaqueHashInput(owner, options);
  const written = writer.write();
  if (written.type === "failed") throw schemaFailed(owner, written.cause);
  if (written.type === "unstable") {
    throw schemaError(
      "unstable-schema",
      owner,
      "expected the same JSON Schema from every call, received two different ones: a fingerprint must be stable",
    );
  }
  checkWhole(owner, writer, options);
  return written.schema;
}

function opaqueHashInput(owner: SchemaOwner, options: SchemaOptions): unknown {
  const { vendor, version } = owner.inputSchema["~standard"];
  if (options.requireTransparentSchemas) {
    throw opaqueSchema(
      owner,
      'a schema that can write its JSON Schema, received one that would be hashed only as its vendor: upgrade the library, use schemaSource "standard-json-schema", or wrap its JSON Schema with jsonSchema(object)',
    );
  }
  if (!replayed.has(owner.inputSchema)) warnOpaqueSchema("vendor", vendor, owner.name);
  return { vendor, version };
}

/**
 * Refuses, or warns about, a schema whose JSON Schema omits a part, such as an ArkType `Date` or an instance of an
 * Effect class: schemas that differ only in that part have the same JSON Schema.
 */
function checkWhole(owner: SchemaOwner, writer: SchemaWriter, options: SchemaOptions): void {
  if (writer.isWhole()) return;
  if (options.requireTransparentSchemas) {
    throw opaqueSchema(
      owner,
      "a schema that JSON Schema can express, received one with a part that it cannot, such as a Date, a bigint, a symbol or a class instance: describe the JSON that is sent, or wrap its JSON Schema with jsonSchema(object)",
    );
  }
  warnOpaqueSchema("part", owner.inputSchema["~standard"].vendor, owner.name);
}

function opaqueSchema(owner: SchemaOwner, problem: string): CapabilityError {
  return schemaError("opaque-schema", owner, `expected ${problem}`);
}

/**
 * Schemas of tools that were read from the wire. They cause no warning, because the process that wrote the tool already
 * warned.
 */
const replayed = new WeakSet<object>();

/** Returns the schema of a wire tool that was hashed only as vendor and version; it stays opaque. */
export function replayedSchema(standard: StandardSchema["~standard"]): StandardSchema {
  const schema: StandardSchema = Object.freeze({ "~standard": Object.freeze(standard) });
  replayed.add(schema);
  return schema;
}

function schemaFailed(owner: SchemaOwner, cause: unknown): CapabilityError {
  const problem = `expected a JSON Schema (an object or a boolean), but ${reasonOf(cause)}`;
  return schemaError("schema-failed", owner, problem, { cause });
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
