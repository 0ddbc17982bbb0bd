import type { Level, Place } from "@agentprint/findings";
import type { SchemaVerdict } from "./schema-verdict.ts";
import type { ToolChange } from "./tool-drift.ts";
import { located, type ToolFinding } from "./tool-place.ts";
import { toolFinding } from "./tool-rules.ts";

/** A fault in a schema, at an RFC 6901 JSON Pointer from the tool. */
export interface FaultOfTool {
  readonly pointer: string;
  readonly reason: string;
}

/** Returns the finding for a schema that MCP does not allow. */
export function findingOfFault(place: Place, { pointer, reason }: FaultOfTool, level?: Level): ToolFinding {
  const [, schema] = pointer.split("/");
  return {
    ...toolFinding("mcp/schema-not-allowed", `MCP does not allow this ${schema}`, level),
    place: { ...place, pointer },
    note: `${reason}. Official clients refuse the complete list of tools`,
  };
}

/** Returns the findings for schemas that MCP no longer allows after the change, with the changed values at the fault. */
export function findingsOfFaults(
  place: Place,
  changes: readonly ToolChange[],
  schemas: readonly SchemaVerdict[],
): ToolFinding[] {
  return faultsOf(schemas).map((fault) => {
    const change = changes.find(({ pointer }) => pointer === fault.pointer);
    return { ...findingOfFault(place, fault), ...(change && located(place, change)) };
  });
}

/** Returns the faults in a tool's changed schemas. */
export function faultsOf(schemas: readonly SchemaVerdict[]): FaultOfTool[] {
  return schemas.flatMap(({ schema, fault }) =>
    fault ? [{ reason: fault.reason, pointer: `/${schema}${fault.pointer}` }] : [],
  );
}
