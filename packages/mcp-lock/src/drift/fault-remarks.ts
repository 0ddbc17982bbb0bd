import { itemName } from "@agentprint/mcp";
import { schemaFaults } from "@agentprint/tool-pins/judgement";
import type { LockedServer } from "../lock/lock.ts";
import type { Drift, Remark } from "./drift.ts";

/** Returns the remarks about schema faults that are not differences because the tool was pinned with them. */
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
  // A name has several definitions if sessions received different definitions.
  return [...new Map(remarks.map((remark) => [JSON.stringify(remark), remark])).values()];
}

/** Returns the schemas whose differences report a fault, with the names of their tools. */
function changedSchemas(drift: Drift): string[] {
  if (drift.type === "item-added")
    return drift.kind === "tool" ? schemaFaults(drift.after).map(({ schema }) => `${schema} ${drift.name}`) : [];
  if (drift.type !== "tool-changed" && drift.type !== "tool-renamed") return [];
  return (drift.schemas ?? []).flatMap(({ schema, fault }) => (fault ? `${schema} ${drift.name}` : []));
}
