import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";

/** Thrown for a schema that a validator may refuse as a whole. It never leaves this folder. */
export class SchemaRefused extends Error {}

export function expectNumber(content: JsonValue): number {
  if (typeof content !== "number") throw new SchemaRefused();
  return content;
}

export function expectText(content: JsonValue): string {
  if (typeof content !== "string") throw new SchemaRefused();
  return content;
}

export function expectList(content: JsonValue): readonly JsonValue[] {
  if (!Array.isArray(content)) throw new SchemaRefused();
  return content;
}

export function expectObject(content: JsonValue): JsonObject {
  if (!isJsonObject(content)) throw new SchemaRefused();
  return content;
}
