import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json";

/** The reason why MCP does not allow a schema of a tool. */
export interface SchemaFault {
  readonly schema: "inputSchema" | "outputSchema";
  /** RFC 6901 JSON Pointer from the schema; empty if the schema is missing or no object. */
  readonly pointer: "" | "/type" | "/$schema" | "/properties" | "/required";
  /** A sentence without text of the server. */
  readonly reason: string;
}

/**
 * Returns the faults of a tool's schemas, at most one per schema, by the interface `Tool` of MCP 2026-07-28, and for
 * `properties` and `required` by MCP 2025-11-25's: the official clients of both versions refuse other forms.
 */
export function schemaFaults(definition: JsonObject): SchemaFault[] {
  return (["inputSchema", "outputSchema"] as const).flatMap((schema) => {
    const isInput = schema === "inputSchema";
    const value = definition[schema];
    const fault = value === undefined ? isInput && MISSING : faultOf(value, isInput);
    return fault ? [{ schema, ...fault }] : [];
  });
}

type Fault = Omit<SchemaFault, "schema">;

const MISSING: Fault = { pointer: "", reason: "A tool needs one, also where it takes no arguments" };

function faultOf(schema: JsonValue, isInput: boolean): Fault | undefined {
  if (!isJsonObject(schema)) return { pointer: "", reason: "It has to be an object" };
  const { type, $schema: dialect, properties = {}, required = [] } = schema;
  if (isInput && type !== "object") return { pointer: "/type", reason: 'Its own "type" has to be "object"' };
  if (dialect !== undefined && typeof dialect !== "string")
    return { pointer: "/$schema", reason: 'Its "$schema" has to be a string' };
  if (!isInput) return undefined;
  if (!isJsonObject(properties)) return { pointer: "/properties", reason: 'Its "properties" has to be an object' };
  return isListOfTexts(required)
    ? undefined
    : { pointer: "/required", reason: 'Its "required" has to be a list of strings' };
}

function isListOfTexts(value: JsonValue): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** The faults of the schemas of a tool that were allowed in the version before. */
export function newFaults(before: JsonObject, after: JsonObject): Map<SchemaFault["schema"], Fault> {
  const known = new Set(schemaFaults(before).map(({ schema }) => schema));
  const faults = schemaFaults(after).filter(({ schema }) => !known.has(schema));
  return new Map(faults.map(({ schema, ...fault }) => [schema, fault]));
}
