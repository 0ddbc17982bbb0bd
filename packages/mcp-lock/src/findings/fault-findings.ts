import type { Level, Place } from "@agentprint/findings";
import type { ToolChange } from "../drift/drift.ts";
import type { SchemaVerdict } from "../drift/schema-verdict.ts";
import { byRule } from "./by-rule.ts";
import { type DriftFinding, located } from "./finding.ts";

/** A fault of a schema, at an RFC 6901 JSON Pointer from the tool. */
interface FaultOfTool {
  readonly pointer: string;
  readonly reason: string;
}

/** Returns the finding for a schema that MCP does not allow. */
export function findingOfFault(place: Place, { pointer, reason }: FaultOfTool, level?: Level): DriftFinding {
  const [, schema] = pointer.split("/");
  return {
    ...byRule("mcp/schema-not-allowed", `MCP does not allow this ${schema}`, level),
    place: { ...place, pointer },
    note: `${reason}. Official clients refuse the whole list of tools`,
  };
}

/** Returns the findings for schemas that MCP allowed before they changed, with the values of the change that is at the fault. */
export function findingsOfFaults(
  place: Place,
  changes: readonly ToolChange[],
  schemas: readonly SchemaVerdict[],
): DriftFinding[] {
  return faultsOf(schemas).map((fault) => {
    const change = changes.find(({ pointer }) => pointer === fault.pointer);
    return { ...findingOfFault(place, fault), ...(change && located(place, change)) };
  });
}

/** Returns the faults of the changed schemas of a tool. */
export function faultsOf(schemas: readonly SchemaVerdict[]): FaultOfTool[] {
  return schemas.flatMap(({ schema, fault }) =>
    fault ? [{ reason: fault.reason, pointer: `/${schema}${fault.pointer}` }] : [],
  );
}
