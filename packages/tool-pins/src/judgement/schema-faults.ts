import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json";

/** The reason why MCP does not allow a tool's schema. */
export interface SchemaFault {
  readonly schema: "inputSchema" | "outputSchema";
  /** RFC 6901 JSON Pointer from the schema; empty if the schema is missing or not an object. */
  readonly pointer: "" | "/type" | "/$schema" | "/properties" | "/required";
  /** A sentence that contains no text from the server. */
  readonly reason: string;
}

/**
 * Returns the faults of a tool's schemas, at most one per schema, according to the interface `Tool` of MCP 2026-07-28
 * and, for `properties` and `required`, of MCP 2025-11-25. The official clients of both versions refuse other forms.
 */
export function schemaFaults(definition: JsonObject): SchemaFault[] {
  return (["inputSchema", "outputSchema"] as const).flatMap((schema) => {
    const fault = faultOf(definition[schema], schema === "inputSchema");
    return fault ? [{ schema, ...fault }] : [];
  });
}

type Fault = Omit<SchemaFault, "schema">;

function faultOf(schema: JsonValue | undefined, isInput: boolean): Fault | undefined {
  if (schema === undefined)
    return isInput ? { pointer: "", reason: "A tool needs one, even if it takes no arguments" } : undefined;
  if (!isJsonObject(schema)) return { pointer: "", reason: "It has to be an object" };
  const { type, $schema = "", properties = {}, required = [] } = schema;
  const fault = (member: string, form: string): Fault => ({
    pointer: `/${member}` as Fault["pointer"],
    reason: `Its ${member} has to be ${form}`,
  });
  if (isInput && type !== "object") return fault("type", '"object"');
  if (typeof $schema !== "string") return fault("$schema", "a string");
  if (!isInput) return undefined;
  if (!isJsonObject(properties)) return fault("properties", "an object");
  return Array.isArray(required) && required.every((each) => typeof each === "string")
    ? undefined
    : fault("required", "a list of strings");
}

/** Returns the faults of a tool's schemas, except those that already had a fault in the previous version. */
export function newFaults(before: JsonObject, after: JsonObject): Map<SchemaFault["schema"], Fault> {
  const known = new Set(schemaFaults(before).map(({ schema }) => schema));
  const faults = schemaFaults(after).filter(({ schema }) => !known.has(schema));
  return new Map(faults.map(({ schema, ...fault }) => [schema, fault]));
}
