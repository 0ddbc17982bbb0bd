import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import { itemName } from "@agentprint/mcp";
import type { LockedServer } from "../lock/lock.ts";
import type { Drift, Remark } from "./drift.ts";

/** The reason why MCP does not allow a schema of a tool. */
export interface SchemaFault {
  readonly schema: "inputSchema" | "outputSchema";
  /** RFC 6901 JSON Pointer from the schema; empty where the schema is missing or no object. */
  readonly pointer: "" | "/type" | "/$schema";
  /** A sentence without text of the server. */
  readonly reason: string;
}

/** Returns the faults of the schemas of a tool, at most one a schema, by the interface `Tool` of MCP 2026-07-28. */
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
  const { type, $schema: dialect } = schema;
  if (isInput && type !== "object") return { pointer: "/type", reason: 'Its own "type" has to be "object"' };
  if (dialect === undefined || typeof dialect === "string") return undefined;
  return { pointer: "/$schema", reason: 'Its "$schema" has to be a string' };
}

/** Returns the remarks on faults that no difference is about, because the tool was pinned with them. */
export function faultRemarks({ tools }: LockedServer, drifts: readonly Drift[]): Remark[] {
  const changed = new Set(drifts.flatMap(changedSchemas));
  const remarks = tools.flatMap(({ definition }) => {
    const name = itemName("tool", definition);
    return schemaFaults(definition)
      .filter(({ schema }) => !changed.has(`${schema} ${name}`))
      .map(({ schema, pointer, reason }): Remark => {
        return { type: "schema-not-allowed", name, pointer: `/${schema}${pointer}`, reason };
      });
  });
  // A name has several definitions where sessions received different ones.
  return [...new Map(remarks.map((remark) => [JSON.stringify(remark), remark])).values()];
}

/** Returns the schemas, with the name of their tool, of which a difference reports a fault. */
function changedSchemas(drift: Drift): string[] {
  if (drift.type === "item-added")
    return drift.kind === "tool" ? schemaFaults(drift.after).map(({ schema }) => `${schema} ${drift.name}`) : [];
  if (drift.type !== "tool-changed" && drift.type !== "tool-renamed") return [];
  return (drift.schemas ?? []).flatMap(({ schema, fault }) => (fault ? `${schema} ${drift.name}` : []));
}
